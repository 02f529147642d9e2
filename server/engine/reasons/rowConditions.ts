/**
 * Evaluates each condition between a row and a client separately: whether it holds, and the values on both sides. A condition that
 * holds is never the reason why the row is not on the device.
 */
import type { Absence, PlacedCondition } from '../../shared/absenceWords.ts';
import { groupBy } from '../ground/group.ts';
import { oncePer } from '../ground/oncePer.ts';
import { bucketKeyText } from '../plan/evaluate/keys.ts';
import type { ConditionTrace, FailureTrace, ValueTrace } from '../plan/evaluate/observations.ts';
import type { RouteTrace } from '../plan/evaluate/traceRequest.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import type { Expression, Origin } from '../plan/expression.ts';
import type { RouteValue, StreamPlan } from '../plan/plan.ts';
import { requestReadOf, requestReads } from '../plan/requestReads.ts';
import type { SqlValue } from '../plan/values/value.ts';

export interface RowCondition extends Omit<PlacedCondition<ConditionKind>, 'marks' | 'values'> {
  readonly at: readonly Origin[];
  readonly values: readonly ValueTrace[];
  /** Present if a client can meet the condition by subscribing with other parameters. */
  readonly isChosen?: true;
}

/**
 * - `row`: a condition on the row alone.
 * - `element`: a table function must return an element for the row.
 * - `subscription`: whether the client subscribes to the stream.
 * - `client`: a condition on the request alone.
 * - `lookup`: a row or an element that must exist for the request.
 * - `comparison`: a value of the row must be one of the client's values.
 * - `together`: each comparison holds, but they do not all hold for the same row or element.
 */
type ConditionKind = 'row' | 'element' | 'subscription' | 'client' | 'lookup' | 'comparison' | 'together';

/** One route by which the row could reach the client, with the conditions for the elements and the subscription that come closest. */
export interface Candidate {
  readonly way: Way;
  readonly combination: Combination;
  readonly conditions: readonly RowCondition[];
}

/** Returns a candidate for each route of a query to a row that the client does not get from it. */
export function candidatesOf(
  plan: StreamPlan,
  rule: RuleTrace,
  routes: readonly RouteTrace[],
): readonly Candidate[] {
  const combinations = combinationsOf(rule);
  const byRoute = groupBy(waysTo(plan, rule, routes), ({ route }) => route);
  return [...byRoute.values()].map((ways) =>
    nearest(
      ways.flatMap((way) =>
        combinations.map((combination) => ({
          way,
          combination,
          conditions: withoutContradictions([
            ...subscription(plan, rule, way),
            ...conditionsOfRow(plan, rule, combination),
            ...conditionsOfWay(plan, rule, combination, way),
          ]),
        })),
      ),
    ),
  );
}

function subscription({ isDefault }: StreamPlan, { at }: RuleTrace, { trace }: Way): readonly RowCondition[] {
  const holds = trace !== undefined;
  return isDefault && holds ? [] : [{ kind: 'subscription', holds, at: [at], values: [] }];
}

/**
 * Returns the candidate with the fewest unmet conditions. If others differ from it only in values, its conditions have the values of all
 * of them.
 */
function nearest(candidates: readonly Candidate[]): Candidate {
  const best = candidates.reduce((one, other) => (countMissing(other) < countMissing(one) ? other : one));
  const alike = candidates.filter(({ conditions }) => haveSameVerdicts(conditions, best.conditions));
  return {
    ...best,
    conditions: best.conditions.map((condition, index) => {
      const same = alike.flatMap(({ conditions }) => conditions[index] ?? []);
      const values = same.flatMap((each) => each.values);
      const held = [...new Set(same.flatMap((each) => each.held ?? []))].slice(0, mostHeld);
      return {
        ...condition,
        values: values.filter(
          ({ value, at }, place) =>
            place === values.findIndex((other) => other.value === value && other.at === at),
        ),
        ...(condition.held && { held }),
      };
    }),
  };
}

function haveSameVerdicts(some: readonly RowCondition[], others: readonly RowCondition[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ kind, holds, at }, index) => {
      const other = others[index];
      return kind === other?.kind && holds === other.holds && at[0] === other.at[0];
    })
  );
}

/**
 * Removes parts of a condition that hold, if another part of the same condition does not. Parts of `NOT (a OR b)` are evaluated
 * separately, but all of them are shown as the SQL of the whole condition.
 */
function withoutContradictions(conditions: readonly RowCondition[]): readonly RowCondition[] {
  const unmet = new Set(conditions.filter(({ holds }) => holds !== true).map(placeOf));
  if (unmet.size === 0) return withTogether(conditions);
  return conditions.filter((condition) => condition.holds !== true || !unmet.has(placeOf(condition)));
}

/** Identifies the place of a condition in the config. */
function placeOf({ at: [first] }: RowCondition): string {
  return first === undefined ? '' : `${first.text}:${first.span.start}-${first.span.end}`;
}

/**
 * Returns the parameters with which a client would subscribe to the buckets of a row. Undefined if no unmet condition depends on a
 * subscription, if another condition is unmet, or if the row does not determine every parameter that the route reads.
 */
export function subscriptionFor({
  way,
  conditions,
  combination: { keys },
}: Candidate): Readonly<Record<string, SqlValue>> | undefined {
  const failed = conditions.filter(({ holds }) => holds === false);
  const isEnough = failed.every(({ kind, isChosen }) => kind === 'subscription' || isChosen === true);
  const { route } = way;
  if (failed.length === 0 || !isEnough || route.keys.length !== keys.length) return undefined;
  const chosen = new Map<string, SqlValue>();
  for (const [key, meeting] of route.keys.entries())
    for (const name of meeting.flatMap((value) => parameterOf(value) ?? [])) {
      const value = keys[key]?.value ?? null;
      const text = bucketKeyText([value]);
      if (text === undefined || text !== bucketKeyText([chosen.get(name) ?? value])) return undefined;
      chosen.set(name, value);
    }
  const isDetermined = requestReads({ routes: [route] }).every(
    ({ part, path }) => part !== 'subscription' || (path.length === 1 && chosen.has(path.join())),
  );
  return isDetermined ? Object.fromEntries(chosen) : undefined;
}

/** Returns the name of the subscription parameter that a value reads. */
function parameterOf(value: RouteValue): string | undefined {
  const read = value.kind === 'request' ? requestReadOf(value.value) : undefined;
  return read?.part === 'subscription' && read.path.length === 1 ? read.path[0] : undefined;
}

/** Counts the conditions that do not hold or are unknown. */
export function countMissing({ conditions }: Pick<Absence | Candidate, 'conditions'>): number {
  return conditions.filter(({ holds }) => holds !== true).length;
}

/** A route by which a client may get buckets of a query. The trace is absent if the client does not subscribe to the stream. */
interface Way {
  readonly route: StreamPlan['routes'][number];
  readonly trace: RouteTrace | undefined;
}

/** Returns the routes to buckets of a query, once for each subscription of the client. */
function waysTo(plan: StreamPlan, { source }: RuleTrace, traces: readonly RouteTrace[]): readonly Way[] {
  // Traces contain, for each reason, all routes of the stream in order.
  const byReason = [...groupBy(traces, ({ reason }) => reason).values()].slice(0, mostSubscriptions);
  return plan.routes.flatMap((route, index): readonly Way[] => {
    if (route.source !== source) return [];
    return byReason.length === 0
      ? [{ route, trace: undefined }]
      : byReason.map((ofReason) => ({ route, trace: ofReason[index] }));
  });
}

type Combination = RuleTrace['combinations'][number];

/** The maximum numbers of subscriptions of a client, and of elements of a row, that are compared with each other. */
const mostSubscriptions = 50;
const mostCombinations = 20;

/** Returns the elements of the row, starting with those for which the conditions on the row hold. */
function combinationsOf({ combinations }: RuleTrace): readonly Combination[] {
  if (combinations.length === 0) return [{ elements: [], conditions: [], keys: [] }];
  const passes = ({ conditions }: Combination): boolean => conditions.every(({ holds }) => holds);
  const others = combinations.filter((combination) => !passes(combination));
  return [...combinations.filter(passes), ...others].slice(0, mostCombinations);
}

function conditionsOfRow(
  plan: StreamPlan,
  { outcome, mismatch, failure, at, source = -1, rule = -1 }: RuleTrace,
  { conditions }: Combination,
): readonly RowCondition[] {
  const filter = plan.sources[source]?.rules[rule]?.filter ?? [];
  const own = conditionsAlone('row', filter, conditions, failure);
  return outcome === 'no element'
    ? [...own, { kind: 'element', holds: false, at: [mismatch ?? at], values: [] }]
    : own;
}

/** Returns the conditions of a filter. They are unknown if they were not evaluated, or if the evaluation failed. */
function conditionsAlone(
  kind: 'row' | 'client',
  filter: readonly Expression[],
  traces: readonly ConditionTrace[],
  failure: FailureTrace | undefined,
): readonly RowCondition[] {
  const unknown = filter
    .filter(({ at }) => !traces.some((trace) => trace.at === at))
    .map(({ at }): RowCondition => ({ kind, holds: 'unknown', at: [at], values: [] }));
  const failed: readonly RowCondition[] = failure
    ? [{ kind, holds: 'unknown', at: [failure.at], values: [], code: failure.code }]
    : [];
  return [
    ...traces.map(({ at, holds, values }): RowCondition => ({ kind, holds, at: [at], values })),
    ...unknown,
    ...failed,
  ];
}

function conditionsOfWay(
  plan: StreamPlan,
  { rule = 0 }: RuleTrace,
  { keys }: Combination,
  way: Way,
): readonly RowCondition[] {
  const { route, trace } = way;
  // A key that fails has no trace, so the other keys cannot be matched with their traces.
  const isComplete = keys.length === route.keys.length;
  return [
    ...conditionsAlone('client', route.filter, trace?.conditions ?? [], trace?.failure),
    ...requiredRows(plan, way),
    ...route.keys.flatMap((meeting, key) =>
      meeting.map((value, index) => {
        const held = valuesHeld(way, value, trace?.keys[key]?.[index]);
        const table = value.kind === 'output' ? tableOfStep(plan, way, value.step) : {};
        const at = route.comparedAt?.[rule]?.[key]?.[index] ?? value.at;
        return { ...comparison(value, held, isComplete ? keys[key] : undefined), at: [at], ...table };
      }),
    ),
  ];
}

/** Returns one condition for each lookup that only requires a row to exist. */
function requiredRows(plan: StreamPlan, way: Way): readonly RowCondition[] {
  const { lookups } = plan;
  const { steps, keys } = way.route;
  const used = new Set(
    [...keys, ...steps.flatMap((step) => (step.kind === 'lookup' ? step.inputs : []))]
      .flat()
      .map((value) => (value.kind === 'output' ? value.step : -1)),
  );
  return steps.flatMap((step, index): readonly RowCondition[] => {
    if (used.has(index)) return [];
    const inputs = step.kind === 'lookup' ? step.inputs.flat().map(({ at }) => at) : [step.expansion.at];
    const table = step.kind === 'lookup' ? (lookups[step.lookup]?.at ?? []) : [];
    const found = stepOf(way, index)?.found;
    const holds = found === undefined ? 'unknown' : found.length > 0;
    const at = inputs.length > 0 ? inputs : [table].flat();
    return [{ kind: 'lookup', holds, at, values: [], ...tableOfStep(plan, way, index) }];
  });
}

function comparison(
  value: RouteValue,
  held: HeldValues | undefined,
  key: ValueTrace | undefined,
): RowCondition {
  const text = key && bucketKeyText([key.value]);
  return {
    kind: 'comparison',
    holds: key === undefined || held === undefined ? 'unknown' : text !== undefined && held.has(text),
    at: [value.at],
    values: key ? [key] : [],
    ...(parameterOf(value) !== undefined && { isChosen: true }),
    ...(held && { held: [...held.values()].slice(0, mostHeld) }),
  };
}

/** Returns the table that a step of the route looks up. */
function tableOfStep({ lookups }: StreamPlan, { route }: Way, index: number): Pick<RowCondition, 'table'> {
  const step = route.steps[index];
  const table = step?.kind === 'lookup' ? lookups[step.lookup]?.table : undefined;
  if (table === undefined || table.schema.wildcard || table.name.wildcard) return {};
  return { table: { schema: table.schema.text, name: table.name.text } };
}

/** The client's values, by their text in bucket names. NULL has no such text, because it equals nothing. */
type HeldValues = ReadonlyMap<string | undefined, SqlValue>;

/** The maximum number of the client's values that are shown. */
const mostHeld = 20;

function valuesHeld(way: Way, value: RouteValue, own: ValueTrace | undefined): HeldValues | undefined {
  if (value.kind === 'request') return own && byText([own.value]);
  const step = stepOf(way, value.step);
  return step && valuesOf(step)(value.output);
}

/** Caches the values, because all rows of a page are compared with the same values, and there may be thousands. */
const valuesOf = oncePer(({ found }: FoundRows) => {
  const columns = new Map<number, HeldValues>();
  return (output: number): HeldValues => {
    const values = columns.get(output) ?? byText(found.map((row) => row[output] ?? null));
    columns.set(output, values);
    return values;
  };
});

function byText(values: readonly SqlValue[]): HeldValues {
  return new Map(values.map((value) => [bucketKeyText([value]), value]));
}

type FoundRows = Pick<RouteTrace['steps'][number], 'found'>;

const nothingFound: FoundRows = { found: [] };

/** Returns undefined if the step was not reached, unless the reason is that there was nothing to look up. */
function stepOf({ route, trace }: Way, index: number): FoundRows | undefined {
  const reached = trace?.steps[index];
  if (reached !== undefined) return reached;
  const step = route.steps[index];
  const inputs = step?.kind === 'lookup' ? step.inputs.flat() : [];
  const isCutOff = inputs.some(
    (input) => input.kind === 'output' && stepOf({ route, trace }, input.step)?.found.length === 0,
  );
  return isCutOff ? nothingFound : undefined;
}

function withTogether(conditions: readonly RowCondition[]): readonly RowCondition[] {
  const compared = conditions.filter(({ kind }) => kind === 'comparison' || kind === 'lookup');
  const at = (compared.length > 0 ? compared : conditions).flatMap((condition) => condition.at);
  return [...conditions, { kind: 'together', holds: false, at, values: [] }];
}
