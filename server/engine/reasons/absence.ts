/** Explains why a row of the source is not on a device. For each query that could sync the row, it finds the first obstacle. */
import { placeInFile } from '../file/place.ts';
import type { Config } from '../file/sync.ts';
import { plansOf } from '../file/sync.ts';
import type { ConfigTracer } from '../plan/evaluate/evaluate.ts';
import { type ValueTrace, valuesAgainst } from '../plan/evaluate/observations.ts';
import type { Origin } from '../plan/expression.ts';
import type { StreamPlan } from '../plan/plan.ts';
import type { SqlValue } from '../plan/values/value.ts';
import type { Span } from '../text/span.ts';
import { conditionsOf, countMissing, type RowCondition, subscriptionFor } from './rowConditions.ts';

type RuleTrace = ReturnType<ConfigTracer['row']>[number];
type RequestTrace =
  ReturnType<ConfigTracer['request']> extends Generator<unknown, infer Result> ? Result : never;
type RouteTrace = RequestTrace['routes'][number];

export interface Absence {
  readonly stream: string;
  /**
   * Reasons in the row:
   * - `filtered`: a condition on the row does not hold.
   * - `no key`: a value in the bucket's name is NULL or a BLOB.
   * - `no element`: a table function returns no elements for the row.
   * - `failed`: an expression fails for the row.
   *
   * Reasons in the client, for a row that is in a bucket:
   * - `not subscribed`: the stream requires a subscription, and this client does not subscribe to it.
   * - `client filtered`: a condition on the request does not hold.
   * - `nothing found`: a lookup for the client finds no row.
   * - `no client key`: a value of the request is missing.
   * - `client failed`: an expression fails for the request.
   * - `other values`: the client has buckets of this query, but the row is in another bucket.
   * - `no common value`: several conditions on one value never hold at the same time for this client.
   */
  readonly kind: RowReason | ClientReason;
  /** The parts of the file that decide. */
  readonly marks: readonly Mark[];
  /** The values that were read at the marked places. */
  readonly values: readonly { readonly text: string; readonly value: SqlValue }[];
  /** For `other values`: some of the client's values at the marked places. */
  readonly held?: readonly (readonly SqlValue[])[];
  /** The code of the failed expression. */
  readonly code?: string;
  /** For `no client key`: the value that the request lacks, such as `subscription` and `room`. */
  readonly missing?: RouteTrace['missing'];
  /** The buckets of the row. */
  readonly buckets: readonly string[];
  /** All conditions of the query, including those that hold. */
  readonly conditions: readonly PlacedCondition[];
  /** Subscription parameters that would meet all unmet conditions. Absent if no subscription would. */
  readonly subscription?: Readonly<Record<string, SqlValue>>;
}

interface PlacedCondition extends Omit<RowCondition, 'at' | 'values' | 'isChosen'> {
  readonly marks: readonly Mark[];
  readonly values: Absence['values'];
}

type RowReason = 'filtered' | 'no key' | 'no element' | 'failed';
type ClientReason =
  | 'not subscribed'
  | 'client filtered'
  | 'nothing found'
  | 'no client key'
  | 'no common value'
  | 'client failed'
  | 'other values';

interface Mark {
  readonly sql: string;
  readonly span: Span;
}

/** @returns nothing if the client has the row, or if no query could sync it */
export function absencesOf(
  config: Config,
  rules: readonly RuleTrace[],
  request: RequestTrace,
): readonly Absence[] {
  const plans = new Map(plansOf(config).map((plan) => [plan.name, plan]));
  const held = new Set(request.result.buckets.map(({ bucket }) => bucket));
  const ofBuckets = rules.filter(({ side }) => side === 'bucket');
  if (ofBuckets.some(({ rows }) => rows.some(({ bucket }) => held.has(bucket)))) return [];
  const absences = ofBuckets.flatMap((rule): readonly Absence[] => {
    const plan = plans.get(rule.stream);
    return plan === undefined ? [] : [ofRule(config, plan, rule, request)];
  });
  // Several branches of a query often fail for the same reason. The branch with the fewest unmet conditions is the most useful one.
  const byReason = new Map<string, Absence>();
  for (const absence of absences) {
    const { conditions: _, ...reason } = absence;
    const text = JSON.stringify(reason, writable);
    const known = byReason.get(text);
    if (known === undefined || countMissing(absence) < countMissing(known)) byReason.set(text, absence);
  }
  return [...byReason.values()];
}

function writable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

function ofRule(config: Config, plan: StreamPlan, rule: RuleTrace, request: RequestTrace): Absence {
  const { stream } = rule;
  const mark = (origins: readonly (Origin | undefined)[]): readonly Mark[] => {
    const marks = origins.flatMap((origin) => (origin ? [placeInFile(config, stream, origin)] : []));
    return marks.filter((each, index) => !marks.some((other, at) => covers(other, each, at < index)));
  };
  const buckets = rule.rows.map(({ bucket }) => bucket);
  const onWay = conditionsOf(plan, rule, request.routes);
  const { way, conditions } = onWay;
  const subscription = subscriptionFor(plan, rule, onWay);
  const about = {
    stream,
    buckets,
    ...(subscription && { subscription }),
    conditions: inReadingOrder(
      conditions.map(({ at, values, held, isChosen: _, ...condition }) => ({
        ...condition,
        marks: mark(at),
        values: values.map(plain),
        ...(held && { held }),
      })),
    ),
  };
  if (rule.outcome !== 'given') {
    const values = rule.outcome === 'filtered' ? valuesAgainst(rule.combinations[0]?.conditions ?? []) : [];
    return {
      ...about,
      kind: rule.outcome,
      marks: mark([rule.mismatch ?? rule.at]),
      values: values.map(plain),
      ...(rule.failure && { code: rule.failure.code }),
    };
  }
  if (way === undefined) return { ...about, kind: 'not subscribed', marks: mark([rule.at]), values: [] };
  const { outcome, failure, missing, mismatch, at } = way.trace;
  const decisive = conditions.filter(
    ({ kind, holds }) => holds === false && outcomes[outcome].by.includes(kind),
  );
  const [first] = decisive;
  const held = first?.held?.filter((value) => value !== null) ?? [];
  const isOther = held.length > 0;
  return {
    ...about,
    kind: isOther ? 'other values' : outcomes[outcome].kind,
    marks: mark(first ? decisive.flatMap((condition) => condition.at) : [mismatch ?? at]),
    values: isOther || outcome === 'filtered' ? (first?.values ?? []).map(plain) : [],
    ...(missing && { missing }),
    ...(isOther && { held: held.map((value) => [value]) }),
    ...(failure && { code: failure.code }),
  };
}

/** The reason for each outcome of a route, and the kinds of conditions that decide about it. */
const outcomes: Readonly<
  Record<RouteTrace['outcome'], { readonly kind: ClientReason; readonly by: readonly RowCondition['kind'][] }>
> = {
  given: { kind: 'no common value', by: ['comparison', 'together'] },
  'nothing found': { kind: 'nothing found', by: ['comparison'] },
  'no common value': { kind: 'no common value', by: ['comparison', 'together'] },
  'no key': { kind: 'no client key', by: [] },
  filtered: { kind: 'client filtered', by: ['client'] },
  failed: { kind: 'client failed', by: [] },
};

/** Sorts conditions: the subscription first, and conditions about all comparisons last. */
function inReadingOrder(conditions: readonly PlacedCondition[]): readonly PlacedCondition[] {
  const rank = ({ kind }: PlacedCondition): number =>
    Number(kind === 'together') - Number(kind === 'subscription');
  const start = ({ marks: [mark] }: PlacedCondition): number => mark?.span.start ?? 0;
  return [...conditions].sort((one, other) => rank(one) - rank(other) || start(one) - start(other));
}

/** Whether the first mark makes the second one superfluous. If two marks are equal, only the first one is kept. */
function covers({ span: one }: Mark, { span: other }: Mark, isFirst: boolean): boolean {
  if (one.start === other.start && one.end === other.end) return isFirst;
  return one.start <= other.start && one.end >= other.end;
}

function plain({ text, value }: ValueTrace): { readonly text: string; readonly value: SqlValue } {
  return { text, value };
}
