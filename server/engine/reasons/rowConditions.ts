/**
 * Judges each condition between a row and a client in isolation: it holds if a query with this condition alone would send the row to
 * the client. A condition that holds is never the reason why the row is not on the device.
 */

import type { PlacedCondition } from '../../shared/absenceWords.ts';
import { groupBy } from '../ground/group.ts';
import { oncePer } from '../ground/oncePer.ts';
import { bucketKeyText } from '../plan/evaluate/keys.ts';
import type { ConditionTrace, FailureTrace, ValueTrace } from '../plan/evaluate/observations.ts';
import type { RequestTrace, RouteTrace } from '../plan/evaluate/traceRequest.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import type { Expression, Origin } from '../plan/expression.ts';
import { meetingsOf } from '../plan/meetings.ts';
import type { BucketRoute, RouteStep, RouteValue, StreamPlan } from '../plan/plan.ts';
import { requestReadOf, requestReads } from '../plan/requestReads.ts';
import type { SqlValue } from '../plan/values/value.ts';
import { isPartOf } from '../text/span.ts';

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
 * - `together`: each condition holds, but they do not all hold for the same row or element.
 */
type ConditionKind = 'row' | 'element' | 'subscription' | 'client' | 'lookup' | 'comparison' | 'together';

/** A route by which a row could reach the client. */
export interface Candidate {
  readonly plan: StreamPlan;
  readonly route: BucketRoute;
  readonly rule: RuleTrace;
  /** The elements of the row that the table functions of the rule return. */
  readonly elements: RuleTrace['combinations'];
  /** The traces of the route, one for each subscription. There are none if the client does not subscribe to the stream. */
  readonly traces: readonly RouteTrace[];
}

/** Returns each route to the buckets of the rules. */
export function candidatesIn(
  plans: readonly StreamPlan[],
  rules: readonly RuleTrace[],
  request: RequestTrace,
): readonly Candidate[] {
  return rules.flatMap((rule) => {
    const passing = rule.combinations.filter(({ conditions }) => conditions.every(({ holds }) => holds));
    const elements = passing.length > 0 ? passing : rule.combinations;
    const traces = request.routes.filter(({ reason }) => reason.stream === rule.stream);
    const plan = plans.find(({ name }) => name === rule.stream);
    const candidates = plan?.routes.map((route, index) => ({
      plan,
      route,
      rule,
      elements: elements.length > 0 ? elements : noElements,
      // Traces contain, for each subscription, all routes of the stream in order.
      traces: traces.filter((_, at) => at % plan.routes.length === index),
    }));
    return candidates?.filter(({ route }) => route.source === rule.source) ?? [];
  });
}

const noElements: Candidate['elements'] = [{ elements: [], conditions: [], keys: [] }];

/** Keeps only the subscriptions that come closest to the row. If there are several, they meet the same conditions. */
export function closestIn(candidate: Candidate): Candidate {
  const conditionsFor = (trace: RouteTrace) => conditionsOf({ ...candidate, traces: [trace] });
  const verdictsFor = (trace: RouteTrace) => conditionsFor(trace).map(({ holds }) => holds);
  const groups = groupBy(candidate.traces, (trace) => verdictsFor(trace).join());
  const distance = ([trace]: readonly RouteTrace[]): number => (trace ? distanceOf(conditionsFor(trace)) : 0);
  const [traces = []] = [...groups.values()].sort((one, other) => distance(one) - distance(other));
  return { ...candidate, traces };
}

/**
 * Returns how far a row is from a client. A condition that is unknown may hold, so any number of them is closer than one that does
 * not hold.
 */
export function distanceOf(conditions: readonly Pick<RowCondition, 'holds' | 'code'>[]): number {
  const unmet = conditions.filter(({ holds }) => holds !== true);
  const failed = unmet.filter(({ holds, code }) => holds === false || code !== undefined);
  return unmet.length + failed.length * 1_000;
}

/** Returns all conditions of a candidate. Each holds if it holds for one of the elements and for one of the subscriptions. */
export function conditionsOf(candidate: Candidate): readonly RowCondition[] {
  const { plan, route, rule, elements, traces } = candidate;
  const filter = plan.sources[rule.source ?? -1]?.rules[rule.rule ?? -1]?.filter ?? [];
  const failure = traces.find((trace) => trace.failure)?.failure;
  return [
    ...subscription(candidate),
    ...conditionsAlone('row', filter, elements, rule.failure),
    ...element(rule),
    ...conditionsAlone('client', route.filter, traces, failure),
    ...requiredRows(candidate),
    ...comparisons(candidate),
  ];
}

function subscription({ plan, rule, traces }: Candidate): readonly RowCondition[] {
  const holds = traces.length > 0;
  return plan.isDefault && holds ? [] : [{ kind: 'subscription', holds, at: [rule.at], values: [] }];
}

function conditionsAlone(
  kind: 'row' | 'client',
  filter: readonly Expression[],
  traces: readonly { readonly conditions: readonly ConditionTrace[] }[],
  failure: FailureTrace | undefined,
): readonly RowCondition[] {
  const conditions = filter.map(({ at }, index): RowCondition => {
    // A failure ends the evaluation, so the traces of the conditions before it have the same indexes.
    const own = traces.map((trace) => trace.conditions[index]);
    const values = own.slice(0, mostShown).flatMap((trace) => trace?.values ?? []);
    return { kind, holds: holdsForOne(own.map((trace) => trace?.holds)), at: [at], values };
  });
  if (failure === undefined) return conditions;
  return [...conditions, { kind, holds: 'unknown', at: [failure.at], values: [], code: failure.code }];
}

/** @param verdicts one for each element or subscription; undefined if it is unknown */
function holdsForOne(verdicts: readonly (boolean | undefined)[]): RowCondition['holds'] {
  if (verdicts.includes(true)) return true;
  return verdicts.length === 0 || verdicts.includes(undefined) ? 'unknown' : false;
}

function element({ outcome, mismatch, at }: RuleTrace): readonly RowCondition[] {
  return outcome === 'no element'
    ? [{ kind: 'element', holds: false, at: [mismatch ?? at], values: [] }]
    : [];
}

/**
 * Returns a condition for each step that only requires a row or an element to exist, and for each step that finds nothing because of
 * conditions elsewhere in the config, such as in a parameter query.
 */
function requiredRows(candidate: Candidate): readonly RowCondition[] {
  const { plan, route, traces } = candidate;
  const used = meetingsOf(route).flat();
  const compared = route.keys.flat().map(({ at }) => comparedAt(candidate, at));
  return route.steps.flatMap((step, index): readonly RowCondition[] => {
    const found = traces.map((trace) => foundIn(trace, route, index));
    const holds = holdsForOne(found.map((rows) => rows && rows.length > 0));
    const isUsed = used.some((value) => value.kind === 'output' && value.step === index);
    const places = placesOf(plan, step);
    const elsewhere = places.filter(
      (at) => !compared.some(({ text, span }) => text === at.text && isPartOf(at.span, span)),
    );
    if (isUsed && (holds !== false || elsewhere.length === 0)) return [];
    return [{ kind: 'lookup', holds, at: isUsed ? elsewhere : places, values: [], ...tableOf(plan, step) }];
  });
}

/** Returns the places of the conditions of a step. Without conditions, any row of the table is enough. */
function placesOf({ lookups }: StreamPlan, step: RouteStep): readonly Origin[] {
  if (step.kind === 'expand') return [step.expansion.at];
  const lookup = lookups[step.lookup];
  const conditions = [...step.inputs.flat(), ...(lookup?.filter ?? [])];
  return (conditions.length > 0 || lookup === undefined ? conditions : [lookup]).map(({ at }) => at);
}

/** Returns the place at which a rule compares a value. Rules share a route, whose values have the places of one rule. */
export function comparedAt({ route, rule }: Pick<Candidate, 'route' | 'rule'>, at: Origin): Origin {
  const places = route.comparedAt?.[rule.rule ?? 0]?.flat();
  return places?.[route.keys.flat().findIndex((value) => value.at === at)] ?? at;
}

/** Returns the table that a step looks up. */
function tableOf({ lookups }: StreamPlan, step: RouteStep | undefined): Pick<RowCondition, 'table'> {
  const table = step?.kind === 'lookup' ? lookups[step.lookup]?.table : undefined;
  if (table === undefined || table.schema.wildcard || table.name.wildcard) return {};
  return { table: { schema: table.schema.text, name: table.name.text } };
}

function comparisons({ plan, route, rule, elements, traces }: Candidate): readonly RowCondition[] {
  return route.keys.flatMap((meeting, key) => {
    // A key that fails has no trace, so the other keys cannot be matched with their traces.
    const complete = elements.filter(({ keys }) => keys.length === route.keys.length);
    const own = complete.flatMap(({ keys }) => keys[key] ?? []);
    return meeting.map((value, index): RowCondition => {
      const held = traces.flatMap((trace) => heldIn(trace, route, value, trace.keys[key]?.[index]) ?? []);
      const met = own.filter((one) => isHeld(one.value, held));
      const isComplete = complete.length === elements.length && held.length === traces.length;
      const isKnown = isComplete && own.length > 0 && held.length > 0;
      const shown = new Set(held.flatMap(({ some }) => some));
      return {
        kind: 'comparison',
        holds: met.length > 0 || (isKnown ? false : 'unknown'),
        at: [comparedAt({ route, rule }, value.at)],
        values: (met.length > 0 ? met : own).slice(0, mostShown),
        ...(parameterOf(value) !== undefined && { isChosen: true }),
        ...(held.length > 0 && { held: [...shown].slice(0, mostShown) }),
        ...(value.kind === 'output' && tableOf(plan, route.steps[value.step])),
      };
    });
  });
}

/** The maximum number of values that are shown on each side of a condition. */
const mostShown = 20;

/** The values of a client for one side of a comparison. */
interface HeldValues {
  /** The texts of the values in bucket names. NULL has no such text, because it equals nothing. */
  readonly texts: ReadonlySet<string | undefined>;
  readonly some: readonly SqlValue[];
}

function isHeld(value: SqlValue, held: readonly HeldValues[]): boolean {
  const text = bucketKeyText([value]);
  return text !== undefined && held.some(({ texts }) => texts.has(text));
}

/** Returns undefined if the values are unknown. */
function heldIn(
  trace: RouteTrace,
  route: BucketRoute,
  value: RouteValue,
  own: ValueTrace | undefined,
): HeldValues | undefined {
  if (value.kind === 'request') return own && toHeld([own.value]);
  const found = foundIn(trace, route, value.step);
  return found && (outputsOf(found)[value.output] ?? toHeld([]));
}

/** Caches the values, because all rows of a page are compared with the same values, and there may be thousands. */
const outputsOf = oncePer((found: FoundRows): readonly HeldValues[] =>
  (found[0] ?? []).map((_, output) => toHeld(found.map((row) => row[output] ?? null))),
);

function toHeld(values: readonly SqlValue[]): HeldValues {
  const texts = new Set(values.map((value) => bucketKeyText([value])));
  return { texts, some: [...new Set(values)].slice(0, mostShown) };
}

type FoundRows = RouteTrace['steps'][number]['found'];

/** Returns undefined if the step was not reached, unless the reason is that there was nothing to look up. */
function foundIn(trace: RouteTrace, route: BucketRoute, index: number): FoundRows | undefined {
  const reached = trace.steps[index];
  if (reached !== undefined) return reached.found;
  const step = route.steps[index];
  const inputs = step?.kind === 'lookup' ? step.inputs.flat() : [];
  const isCutOff = inputs.some(
    (input) => input.kind === 'output' && foundIn(trace, route, input.step)?.length === 0,
  );
  return isCutOff ? [] : undefined;
}

/**
 * Returns the parameters of a subscription that would meet all unmet conditions. Undefined if no condition fails, if a subscription
 * cannot meet one of them, or if the row does not determine every parameter that the route reads.
 */
export function subscriptionFor(candidate: Candidate): Readonly<Record<string, SqlValue>> | undefined {
  const { route, elements } = candidate;
  const element = elements.find((one) => {
    const failed = conditionsOf({ ...candidate, elements: [one] }).filter(({ holds }) => holds === false);
    return failed.length > 0 && failed.every(({ kind, isChosen }) => kind === 'subscription' || isChosen);
  });
  if (element?.keys.length !== route.keys.length) return undefined;
  const chosen = new Map<string, SqlValue>();
  for (const [key, meeting] of route.keys.entries())
    for (const name of meeting.flatMap((value) => parameterOf(value) ?? [])) {
      const value = element.keys[key]?.value ?? null;
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
