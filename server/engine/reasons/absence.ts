/** Explains why a row of the source is not on a device. For each query that could sync the row, it finds the first obstacle. */
import type { Mark, PlacedCondition, Absence as WrittenAbsence } from '../../shared/absenceWords.ts';
import { placeInFile } from '../file/place.ts';
import { type Config, plansOf } from '../file/sync.ts';
import { groupBy } from '../ground/group.ts';
import { oncePer } from '../ground/oncePer.ts';
import type { RequestTrace, RouteTrace } from '../plan/evaluate/traceRequest.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import { isPartOf, type Span } from '../text/span.ts';
import {
  type Candidate,
  candidatesIn,
  closestIn,
  comparedAt,
  conditionsOf,
  distanceOf,
  type RowCondition,
  subscriptionFor,
} from './rowConditions.ts';
import { readValues } from './rowSentences.ts';

export type Absence = WrittenAbsence<Reason>;

/**
 * `RuleTrace` describes the reasons in the row, and `RouteTrace` those in the client. The others are:
 * - `not subscribed`: the stream requires a subscription, and this client does not subscribe to it.
 * - `other values`: the client has values for the query, but not those of the row.
 */
type Reason =
  | Exclude<RuleTrace['outcome'], 'given'>
  | (typeof obstacles)[RouteTrace['outcome']][0]
  | 'not subscribed'
  | 'other values';

/** The reason for each outcome of a route, and the kinds of conditions that decide. */
const obstacles = {
  given: ['no common value', 'comparison', 'together'],
  'nothing found': ['nothing found', 'comparison', 'lookup'],
  'no common value': ['no common value', 'comparison', 'together'],
  'no key': ['no client key'],
  filtered: ['client filtered', 'client'],
  failed: ['client failed'],
} as const satisfies Record<RouteTrace['outcome'], readonly [string, ...RowCondition['kind'][]]>;

/** A way by which a client has a row. */
interface Presence {
  readonly stream: string;
  readonly bucket: string;
  readonly query: Span;
  /** All conditions of the query. They hold. */
  readonly conditions: readonly PlacedCondition[];
}

export function presencesOf(
  config: Config,
  rules: readonly RuleTrace[],
  request: RequestTrace,
): readonly Presence[] {
  const held = heldBuckets(request);
  return candidatesIn(plansOf(config), rules, request).flatMap((candidate) => {
    const { rule } = candidate;
    return rule.rows.flatMap(({ bucket }) => {
      const traces = candidate.traces.filter(({ buckets }) => buckets.includes(bucket));
      if (traces.length === 0 || !held.has(bucket)) return [];
      const { stream, at } = rule;
      const conditions = placeAll(config, stream, conditionsOf({ ...candidate, traces }));
      return [{ stream, bucket, query: placeInFile(config, stream, at).span, conditions }];
    });
  });
}

/** Caches the buckets of a client, because all rows of a page are compared with them. */
const heldBuckets = oncePer(
  ({ result }: RequestTrace): ReadonlySet<string> => new Set(result.buckets.map(({ bucket }) => bucket)),
);

/** @returns nothing if the client has the row, or if no query could sync it */
export function absencesOf(
  config: Config,
  rules: readonly RuleTrace[],
  request: RequestTrace,
): readonly Absence[] {
  const held = heldBuckets(request);
  if (rules.some(({ rows }) => rows.some(({ bucket }) => held.has(bucket)))) return [];
  const absences = candidatesIn(plansOf(config), rules, request).map((each) =>
    absenceOf(config, closestIn(each)),
  );
  const closest = absences.filter((one) => !absences.some((other) => isCloser(other, one)));
  // Several branches of a query often fail for the same reason. The closest one is the most useful one.
  const alike = groupBy(closest, ({ conditions: _, ...reason }) => JSON.stringify(reason, writable));
  return [...alike.values()].map((some) =>
    some.reduce((one, other) => (distanceOf(unmetIn(other)) < distanceOf(unmetIn(one)) ? other : one)),
  );
}

function writable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/**
 * Whether the row needs less to reach the client in the first way than in the second one. Alternatives are evaluated separately, but
 * the SQL of one of them may contain others: `NOT (a AND b)` holds if one part does.
 */
function isCloser(one: Absence, other: Absence): boolean {
  const [own, others] = [unmetIn(one), unmetIn(other)];
  if (one.stream !== other.stream || distanceOf(own) >= distanceOf(others)) return false;
  return own.every((condition) =>
    others.some((same) => isWithin(condition, same) || isWithin(same, condition)),
  );
}

/** Returns the conditions that do not hold or are unknown. An expression that fails is a part of one of them. */
function unmetIn({ conditions }: Pick<Absence, 'conditions'>): readonly PlacedCondition[] {
  return conditions.filter(({ holds, code }) => holds !== true && code === undefined);
}

function isWithin({ marks }: PlacedCondition, around: PlacedCondition): boolean {
  return marks.every((mark) => around.marks.some((other) => isPartOf(mark, other)));
}

function absenceOf(config: Config, candidate: Candidate): Absence {
  const { stream } = candidate.rule;
  const judged = conditionsOf(candidate);
  const conditions = judged.every(({ holds }) => holds === true) ? withTogether(judged) : judged;
  const subscription = subscriptionFor(candidate);
  return {
    stream,
    ...place(config, stream, reasonOf(candidate, conditions)),
    ...(subscription && { subscription }),
    conditions: placeAll(config, stream, conditions),
  };
}

function withTogether(conditions: readonly RowCondition[]): readonly RowCondition[] {
  const compared = conditions.filter(({ kind }) => kind === 'comparison' || kind === 'lookup');
  const at = (compared.length > 0 ? compared : conditions).flatMap((condition) => condition.at);
  return [...conditions, { kind: 'together', holds: false, at, values: [] }];
}

function reasonOf(candidate: Candidate, conditions: readonly RowCondition[]) {
  const { rule } = candidate;
  const [route] = candidate.traces;
  const [kind, ...kinds] = obstacleOf(rule, route, conditions);
  const decisive = conditions.filter((each) => each.holds === false && kinds.includes(each.kind));
  const [first] = decisive;
  const held = first?.held?.filter((value) => value !== null) ?? [];
  const trace = (rule.outcome === 'given' && route) || rule;
  return {
    kind: held.length > 0 ? ('other values' as const) : kind,
    at: first ? decisive.flatMap(({ at }) => at) : [comparedAt(candidate, trace.mismatch ?? trace.at)],
    values: first?.values ?? [],
    ...(held.length > 0 && { held }),
    ...(kind === 'no client key' && route?.missing && { missing: route.missing }),
    ...(trace.failure && { code: trace.failure.code }),
  };
}

function obstacleOf(
  { outcome }: RuleTrace,
  route: RouteTrace | undefined,
  conditions: readonly RowCondition[],
): readonly [Reason, ...RowCondition['kind'][]] {
  const isFiltered = conditions.some(({ kind, holds }) => kind === 'row' && holds === false);
  if (isFiltered && outcome !== 'no element' && outcome !== 'failed') return ['filtered', 'row'];
  if (outcome !== 'given') return [outcome];
  return route === undefined ? ['not subscribed'] : obstacles[route.outcome];
}

function place<Part extends Pick<RowCondition, 'at' | 'values'>>(
  config: Config,
  stream: string,
  { at, values, ...part }: Part,
) {
  const marks = at.map((origin): Mark => {
    const { sql, span } = placeInFile(config, stream, origin);
    return { sql, ...span };
  });
  return {
    ...part,
    marks: marks.filter(isUncovered),
    values: readValues(values, (origin) => placeInFile(config, stream, origin).sql),
  };
}

/** Whether a mark is not part of another one. If two marks are equal, only the first one is kept. */
function isUncovered(mark: Mark, index: number, all: readonly Mark[]): boolean {
  return !all.some((other, at) => isPartOf(mark, other) && (at < index || !isPartOf(other, mark)));
}

/** Places conditions in reading order: the subscription first, and the condition about all comparisons last. */
function placeAll(
  config: Config,
  stream: string,
  conditions: readonly RowCondition[],
): readonly PlacedCondition[] {
  const placed = conditions.map(({ isChosen: _, ...condition }) => place(config, stream, condition));
  const unmet = unmetIn({ conditions: placed });
  const rank = ({ kind }: PlacedCondition): number =>
    Number(kind === 'together') - Number(kind === 'subscription');
  const start = ({ marks: [mark] }: PlacedCondition): number => mark?.start ?? 0;
  return (
    placed
      // A part of `NOT (a OR b)` that holds has the place of the whole, which does not hold if another part does not.
      .filter((one) => one.holds !== true || !unmet.some((other) => isWithin(other, one)))
      .sort((one, other) => rank(one) - rank(other) || start(one) - start(other))
  );
}
