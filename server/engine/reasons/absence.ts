/** Explains why a row of the source is not on a device. For each query that could sync the row, it finds the first obstacle. */
import type { Mark, PlacedCondition, Absence as WrittenAbsence } from '../../shared/absenceWords.ts';
import { type PlacedSql, placeInFile } from '../file/place.ts';
import type { Config } from '../file/sync.ts';
import { plansOf } from '../file/sync.ts';
import { type ValueTrace, valuesAgainst } from '../plan/evaluate/observations.ts';
import type { RequestTrace, RouteTrace } from '../plan/evaluate/traceRequest.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import type { Origin } from '../plan/expression.ts';
import type { StreamPlan } from '../plan/plan.ts';
import { isPartOf } from '../text/span.ts';
import {
  type ConditionsOnWay,
  conditionsOf,
  countMissing,
  type RowCondition,
  subscriptionFor,
} from './rowConditions.ts';

export type Absence = WrittenAbsence<RowReason | ClientReason>;

/**
 * Reasons in the row:
 * - `filtered`: a condition on the row does not hold.
 * - `no key`: a value in the bucket's name is NULL or a BLOB.
 * - `no element`: a table function returns no elements for the row.
 * - `failed`: an expression fails for the row.
 */
type RowReason = Exclude<RuleTrace['outcome'], 'given'>;

/**
 * Reasons in the client, for a row that is in a bucket:
 * - `not subscribed`: the stream requires a subscription, and this client does not subscribe to it.
 * - `client filtered`: a condition on the request does not hold.
 * - `nothing found`: a lookup for the client finds no row.
 * - `no client key`: a value of the request is missing.
 * - `client failed`: an expression fails for the request.
 * - `other values`: the client has buckets of this query, but the row is in another bucket.
 * - `no common value`: several conditions on one value never hold at the same time for this client.
 */
type ClientReason =
  | 'not subscribed'
  | 'client filtered'
  | 'nothing found'
  | 'no client key'
  | 'no common value'
  | 'client failed'
  | 'other values';

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

function ofRule(config: Config, plan: StreamPlan, rule: RuleTrace, { routes }: RequestTrace): Absence {
  const { stream } = rule;
  const place = <Traced extends TracedValues>({ at, values, ...traced }: Traced) => ({
    ...traced,
    marks: at.map((origin) => markAt(placeInFile(config, stream, origin))).filter(isUncovered),
    values: values.map(({ text, value }) => ({ text, value })),
  });
  const onWay = conditionsOf(plan, rule, routes);
  const subscription = subscriptionFor(plan, rule, onWay);
  return {
    stream,
    ...place(reasonOf(rule, onWay)),
    ...(subscription && { subscription }),
    conditions: inReadingOrder(onWay.conditions.map(({ isChosen: _, ...condition }) => place(condition))),
  };
}

interface TracedValues {
  readonly at: readonly Origin[];
  readonly values: readonly ValueTrace[];
}

function reasonOf(rule: RuleTrace, { way, conditions }: ConditionsOnWay) {
  const { outcome } = rule;
  if (outcome !== 'given')
    return {
      kind: outcome,
      at: [rule.mismatch ?? rule.at],
      values: outcome === 'filtered' ? valuesAgainst(rule.combinations[0]?.conditions ?? []) : [],
      ...(rule.failure && { code: rule.failure.code }),
    };
  if (way === undefined) return { kind: 'not subscribed' as const, at: [rule.at], values: [] };
  const { failure, missing, mismatch, at, ...trace } = way.trace;
  const { kind, by } = outcomes[trace.outcome];
  const decisive = conditions.filter((condition) => condition.holds === false && by.includes(condition.kind));
  const [first] = decisive;
  const held = first?.held?.filter((value) => value !== null) ?? [];
  const isOther = held.length > 0;
  return {
    kind: isOther ? ('other values' as const) : kind,
    at: first ? decisive.flatMap((condition) => condition.at) : [mismatch ?? at],
    values: isOther || kind === 'client filtered' ? (first?.values ?? []) : [],
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
  const start = ({ marks: [mark] }: PlacedCondition): number => mark?.start ?? 0;
  return [...conditions].sort((one, other) => rank(one) - rank(other) || start(one) - start(other));
}

function markAt({ sql, span }: PlacedSql): Mark {
  return { sql, ...span };
}

/** Whether a mark is not part of another one. If two marks are equal, only the first one is kept. */
function isUncovered(mark: Mark, index: number, all: readonly Mark[]): boolean {
  return !all.some((other, at) => isPartOf(mark, other) && (at < index || !isPartOf(other, mark)));
}
