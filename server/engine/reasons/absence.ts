/** Explains why a row of the source is not on a device. For each query that could sync the row, it finds the first obstacle. */
import type { Mark, PlacedCondition, Absence as WrittenAbsence } from '../../shared/absenceWords.ts';
import { type PlacedSql, placeInFile } from '../file/place.ts';
import { type Config, plansOf } from '../file/sync.ts';
import { groupBy } from '../ground/group.ts';
import type { RequestTrace, RouteTrace } from '../plan/evaluate/traceRequest.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import type { Origin } from '../plan/expression.ts';
import { isPartOf } from '../text/span.ts';
import {
  type Candidate,
  candidatesOf,
  countMissing,
  type RowCondition,
  subscriptionFor,
} from './rowConditions.ts';
import { readValues } from './rowSentences.ts';

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
  const absences = ofBuckets.flatMap((rule) => {
    const plan = plans.get(rule.stream);
    const routes = request.routes.filter(({ reason }) => reason.stream === rule.stream);
    const candidates = plan === undefined ? [] : candidatesOf(plan, rule, routes);
    return candidates.map((candidate) => absenceOf(config, rule, candidate));
  });
  const possible = [...groupBy(absences, ({ stream }) => stream).values()].flatMap(withoutMetConditions);
  // Several branches of a query often fail for the same reason. The branch with the fewest unmet conditions is the most useful one.
  const alike = groupBy(possible, ({ conditions: _, ...reason }) => JSON.stringify(reason, writable));
  return [...alike.values()].map((some) =>
    some.reduce((one, other) => (countMissing(other) < countMissing(one) ? other : one)),
  );
}

function writable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/**
 * Removes absences whose condition another absence of the stream may meet. Alternatives are evaluated separately, but the SQL of one of
 * them may contain others: `NOT (a AND b)` holds if one part does.
 */
function withoutMetConditions(absences: readonly Absence[]): readonly Absence[] {
  const kept = absences.filter(
    ({ conditions }) =>
      !conditions.some(
        (condition) =>
          condition.holds === false &&
          absences.some((other) => other.conditions !== conditions && mayMeet(other, condition)),
      ),
  );
  return kept.length > 0 ? kept : absences;
}

function mayMeet({ conditions }: Absence, { kind, marks: [own] }: PlacedCondition): boolean {
  if (own === undefined) return false;
  const mayHold = ({ holds, ...other }: PlacedCondition): boolean =>
    holds === true || (holds === 'unknown' && other.kind !== kind);
  const inside = conditions.filter(({ marks: [mark] }) => mark && isPartOf(mark, own));
  const around = conditions.filter(({ marks: [mark] }) => mark && isPartOf(own, mark));
  return (inside.length > 0 && inside.every(mayHold)) || around.some(mayHold);
}

function absenceOf(config: Config, rule: RuleTrace, candidate: Candidate): Absence {
  const { stream } = rule;
  const sqlAt = (at: Origin): string => placeInFile(config, stream, at).sql;
  const place = <Traced extends Pick<RowCondition, 'at' | 'values'>>({ at, values, ...traced }: Traced) => ({
    ...traced,
    marks: at.map((origin) => markAt(placeInFile(config, stream, origin))).filter(isUncovered),
    values: readValues(values, sqlAt),
  });
  const subscription = subscriptionFor(candidate);
  return {
    stream,
    ...place(reasonOf(rule, candidate)),
    ...(subscription && { subscription }),
    conditions: inReadingOrder(candidate.conditions.map(({ isChosen: _, ...condition }) => place(condition))),
  };
}

function reasonOf(rule: RuleTrace, { way, conditions }: Candidate) {
  const { kind, by } = obstacleOf(rule, way.trace, conditions);
  const decisive = conditions.filter((condition) => condition.holds === false && by.includes(condition.kind));
  const [first] = decisive;
  const held = first?.held?.filter((value) => value !== null) ?? [];
  const isOther = held.length > 0;
  const trace = (rule.outcome === 'given' && way.trace) || rule;
  return {
    kind: isOther ? ('other values' as const) : kind,
    at: first ? decisive.flatMap((condition) => condition.at) : [trace.mismatch ?? trace.at],
    values: first?.values ?? [],
    ...(isOther && { held }),
    ...(kind === 'no client key' && way.trace?.missing && { missing: way.trace.missing }),
    ...(trace.failure && { code: trace.failure.code }),
  };
}

interface Obstacle {
  readonly kind: RowReason | ClientReason;
  /** The kinds of conditions that decide. */
  readonly by: readonly RowCondition['kind'][];
}

function obstacleOf(
  { outcome }: RuleTrace,
  trace: RouteTrace | undefined,
  conditions: readonly RowCondition[],
): Obstacle {
  const isFiltered = conditions.some(({ kind, holds }) => kind === 'row' && holds === false);
  if (isFiltered && outcome !== 'no element' && outcome !== 'failed')
    return { kind: 'filtered', by: ['row'] };
  if (outcome !== 'given') return { kind: outcome, by: [] };
  return trace === undefined ? { kind: 'not subscribed', by: [] } : outcomes[trace.outcome];
}

/** The reason for each outcome of a route, and the kinds of conditions that decide about it. */
const outcomes: Readonly<Record<RouteTrace['outcome'], Obstacle>> = {
  given: { kind: 'no common value', by: ['comparison', 'together'] },
  'nothing found': { kind: 'nothing found', by: ['comparison', 'lookup'] },
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
