/**
 * Evaluates each condition between a row and a client separately: whether it holds, and the values on both sides. A condition that
 * holds is never the reason why the row is not on the device.
 */
import type { Absence, PlacedCondition } from '../../shared/absenceWords.ts';
import { oncePer } from '../ground/oncePer.ts';
import { bucketKeyText } from '../plan/evaluate/keys.ts';
import type { ConditionTrace, ValueTrace } from '../plan/evaluate/observations.ts';
import type { RouteTrace } from '../plan/evaluate/traceRequest.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import type { Origin } from '../plan/expression.ts';
import type { RouteValue, StreamPlan } from '../plan/plan.ts';
import { requestReadOf } from '../plan/requestReads.ts';
import type { SqlValue } from '../plan/values/value.ts';

export interface RowCondition extends Omit<PlacedCondition<ConditionKind>, 'marks'> {
  readonly at: readonly Origin[];
  readonly values: readonly ValueTrace[];
  /** Present if a client can meet the condition by subscribing with other parameters. */
  readonly isChosen?: true;
}

/**
 * - `row`: a condition on the row alone.
 * - `subscription`: whether the client subscribes to the stream.
 * - `client`: a condition on the request alone, or a row that must exist for the request.
 * - `comparison`: a value of the row must be one of the client's values.
 * - `together`: each comparison holds, but they do not all hold for the same row or element.
 */
type ConditionKind = 'row' | 'subscription' | 'client' | 'comparison' | 'together';

/** The conditions on the route with the fewest unmet conditions. */
export interface ConditionsOnWay {
  /** The route of these conditions. Undefined if the client does not subscribe. */
  readonly way: Way | undefined;
  readonly conditions: readonly RowCondition[];
}

/** Returns the conditions of a query for a row that the client does not get from it. */
export function conditionsOf(
  plan: StreamPlan,
  rule: RuleTrace,
  routes: readonly RouteTrace[],
): ConditionsOnWay {
  const combination = combinationOf(rule);
  const ofRow = combination.conditions.map((condition) => alone('row', condition));
  const all = waysTo(plan, rule, routes).map((way): ConditionsOnWay => {
    const conditions = [
      ...ofRow,
      ...subscription(plan, rule, true),
      ...conditionsOfWay(plan, combination, way),
    ];
    return {
      way,
      conditions: conditions.every(({ holds }) => holds === true) ? withTogether(conditions) : conditions,
    };
  });
  const [best] = all.sort((one, other) => countMissing(one) - countMissing(other));
  return best ?? { way: undefined, conditions: [...ofRow, ...subscription(plan, rule, false)] };
}

/**
 * Returns the parameters with which a client would subscribe to the buckets of a row, as far as parameters decide. Undefined if no
 * condition of the row depends on a subscription, or if an unmet condition does not.
 */
export function subscriptionFor(
  plan: StreamPlan,
  rule: RuleTrace,
  { way, conditions }: ConditionsOnWay,
): Readonly<Record<string, SqlValue>> | undefined {
  const failed = conditions.filter(({ holds }) => holds === false);
  const isEnough = failed.every(({ kind, isChosen }) => kind === 'subscription' || isChosen === true);
  const route = way?.route ?? plan.routes.find(({ source }) => source === rule.source);
  const { keys } = combinationOf(rule);
  if (failed.length === 0 || !isEnough || route?.keys.length !== keys.length) return undefined;
  const chosen = route.keys.flatMap((meeting, key) =>
    meeting.flatMap((value) => {
      const name = parameterOf(value);
      return name === undefined ? [] : [[name, keys[key]?.value ?? null] as const];
    }),
  );
  const isWritable = chosen.every(([, value]) => value !== null && !(value instanceof Uint8Array));
  return isWritable ? Object.fromEntries(chosen) : undefined;
}

/** Returns the name of the subscription parameter that a value reads. */
function parameterOf(value: RouteValue): string | undefined {
  const read = value.kind === 'request' ? requestReadOf(value.value) : undefined;
  return read?.part === 'subscription' && read.path.length === 1 ? read.path[0] : undefined;
}

/** Counts the conditions that do not hold or are unknown. */
export function countMissing({ conditions }: Pick<Absence, 'conditions'> | ConditionsOnWay): number {
  return conditions.filter(({ holds }) => holds !== true).length;
}

/** A route by which a client may get buckets of a query, and its trace. */
interface Way {
  readonly trace: RouteTrace;
  readonly route: StreamPlan['routes'][number];
}

/** Returns the routes to buckets of a query, starting with the one that succeeded furthest. */
function waysTo(plan: StreamPlan, { source }: RuleTrace, routes: readonly RouteTrace[]): readonly Way[] {
  const places = new Map<RouteTrace['reason'], number>();
  return routes
    .filter(({ reason }) => reason.stream === plan.name)
    .flatMap((trace) => {
      // Traces contain, for each reason, all routes of the stream in order.
      const index = places.get(trace.reason) ?? 0;
      places.set(trace.reason, index + 1);
      const route = plan.routes[index];
      return route === undefined || route.source !== source ? [] : [{ trace, route }];
    })
    .sort((a, b) => distance.indexOf(a.trace.outcome) - distance.indexOf(b.trace.outcome));
}

/** The outcomes of a route, furthest first. */
const distance: readonly RouteTrace['outcome'][] = [
  'given',
  'nothing found',
  'no common value',
  'no key',
  'filtered',
  'failed',
];

type Combination = RuleTrace['combinations'][number];

const emptyCombination: Combination = { elements: [], conditions: [], keys: [] };

/** Returns the elements for which all conditions hold, or otherwise the first elements. */
function combinationOf({ combinations }: RuleTrace): Combination {
  const passed = combinations.find(({ conditions }) => conditions.every(({ holds }) => holds));
  return passed ?? combinations[0] ?? emptyCombination;
}

function alone(kind: 'row' | 'client', { at, holds, values }: ConditionTrace): RowCondition {
  return { kind, holds, at: [at], values };
}

function subscription({ isDefault }: StreamPlan, { at }: RuleTrace, holds: boolean): readonly RowCondition[] {
  return isDefault ? [] : [{ kind: 'subscription', holds, at: [at], values: [] }];
}

function conditionsOfWay(plan: StreamPlan, { keys }: Combination, way: Way): readonly RowCondition[] {
  const { route, trace } = way;
  // A key that fails has no trace, so the other keys cannot be matched with their traces.
  const isComplete = keys.length === route.keys.length;
  return [
    ...trace.conditions.map((condition) => alone('client', condition)),
    ...requiredRows(plan, way),
    ...route.keys.flatMap((meeting, key) =>
      meeting.map((value, index) => {
        const held = valuesHeld(way, value, trace.keys[key]?.[index]);
        const table = value.kind === 'output' ? tableOfStep(plan, way, value.step) : {};
        return { ...comparison(value, held, isComplete ? keys[key] : undefined), ...table };
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
    const at = step.kind === 'expand' ? step.expansion.at : lookups[step.lookup]?.at;
    const found = stepOf(way, index)?.found;
    const holds = found === undefined ? 'unknown' : found.length > 0;
    return [{ kind: 'client', holds, at: at ? [at] : [], values: [], ...tableOfStep(plan, way, index) }];
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
function tableOfStep(
  { lookups }: StreamPlan,
  { route }: Way,
  index: number,
): Pick<RowCondition, 'lookedUpIn'> {
  const step = route.steps[index];
  const table = step?.kind === 'lookup' ? lookups[step.lookup]?.table : undefined;
  if (table === undefined || table.schema.wildcard || table.name.wildcard) return {};
  return { lookedUpIn: { schema: table.schema.text, name: table.name.text } };
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
  const reached = trace.steps[index];
  if (reached !== undefined) return reached;
  const step = route.steps[index];
  const inputs = step?.kind === 'lookup' ? step.inputs.flat() : [];
  const isCutOff = inputs.some(
    (input) => input.kind === 'output' && stepOf({ route, trace }, input.step)?.found.length === 0,
  );
  return isCutOff ? nothingFound : undefined;
}

function withTogether(conditions: readonly RowCondition[]): readonly RowCondition[] {
  const compared = conditions.filter(({ kind }) => kind === 'comparison' || kind === 'client');
  const at = (compared.length > 0 ? compared : conditions).flatMap((condition) => condition.at);
  return [...conditions, { kind: 'together', holds: false, at, values: [] }];
}
