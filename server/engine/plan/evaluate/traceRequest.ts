/** Traces why a request gets its buckets and no others. */

import type { Expression, Origin, RequestPart } from '../expression.ts';
import { meetingsOf } from '../meetings.ts';
import type { BucketRoute, RouteStep, TablePattern } from '../plan.ts';
import { requestReadOf } from '../requestReads.ts';
import type { RuntimeCode } from '../values/failure.ts';
import type { SqlValue } from '../values/value.ts';
import type { NamedPlan } from './names.ts';
import {
  type ConditionTrace,
  type FailureTrace,
  type Recorder,
  toRecorder,
  type ValueTrace,
} from './observations.ts';
import {
  type CompiledRequests,
  evaluateAll,
  evaluationsOf,
  type LookupAnswer,
  type Reason,
  type RequestResult,
  type SyncRequest,
} from './requests.ts';
import { type CompiledRoute, type CompiledStep, compileRoute, type Tuple } from './route.ts';
import type { EvaluationRules, EvaluationScope, RequestDocuments } from './scope.ts';

export interface RequestTrace {
  readonly result: RequestResult;
  readonly routes: readonly RouteTrace[];
}

export type RequestTracing = Generator<readonly string[], RequestTrace, LookupAnswer>;

/** The trace of one route of a stream, for one reason to evaluate the stream. */
export interface RouteTrace {
  readonly reason: Reason;
  readonly at: Origin;
  /**
   * - `given`: the route selects buckets.
   * - `filtered`: a condition on the request does not hold.
   * - `nothing found`: no values of a lookup, or no elements of request data, match the other values.
   * - `no key`: a value that should name a bucket, or be looked up, is NULL.
   * - `no common value`: values that should be equal are not.
   */
  readonly outcome: 'given' | 'filtered' | 'nothing found' | 'no key' | 'no common value' | 'failed';
  /** The first condition, value or lookup that excluded the route. */
  readonly mismatch?: Origin;
  /** The missing value of the request for `no key`, such as `subscription` and `room`. */
  readonly missing?: { readonly part: RequestPart; readonly path: readonly string[] };
  readonly failure?: FailureTrace;
  readonly conditions: readonly ConditionTrace[];
  /** The steps that the route reached. */
  readonly steps: readonly StepTrace[];
  /** The request's values for each key. A key may have to equal several values. Values of steps are undefined. */
  readonly keys: readonly (readonly (ValueTrace | undefined)[])[];
  readonly buckets: readonly string[];
}

interface StepTrace {
  readonly kind: 'lookup' | 'expand';
  /** The place of the lookup or table function. */
  readonly at: Origin;
  /** The table of a lookup. */
  readonly table?: TablePattern;
  /** The lookup keys that were requested; none if the inputs are NULL. */
  readonly asked: readonly string[];
  /** The values that were found, before they are joined with the known values. */
  readonly found: readonly (readonly SqlValue[])[];
  /** The number of combinations of values that remained after the step. */
  readonly left: number;
}

export function* traceRequest(
  plans: readonly NamedPlan[],
  request: SyncRequest,
  rules: EvaluationRules,
): RequestTracing {
  const notes = new Map<string, RouteNotes>();
  const streams = new Map(plans.map((named) => [named.plan.name, observedStream(named, rules, notes)]));
  const evaluations = [...evaluationsOf(streams, request)];
  const result = yield* evaluateAll(evaluations);
  return {
    result,
    routes: evaluations.flatMap(({ stream: { name }, reason, scope }) => {
      const failures = result.failures.filter((failure) => failure.reason === reason);
      const named = plans.find(({ plan }) => plan.name === name);
      return (named?.plan.routes ?? []).map((route, index): RouteTrace => {
        const noted = notes.get(noteKey(name, index))?.get(scope.request) ?? emptyNote(rules);
        const code = failures.find(({ routes }) => routes.includes(index))?.code;
        const keys = route.keys.map((meeting) =>
          meeting.map((value) =>
            value.kind === 'request' ? noted.recorder.valueIn(scope, value.value) : undefined,
          ),
        );
        return { reason, at: route.at, keys, ...verdict(route, named as NamedPlan, noted, code) };
      });
    }),
  };
}

/** The outcomes of a route, by the request data for which it was evaluated. */
type RouteNotes = Map<RequestDocuments, RouteNote>;

interface RouteNote {
  readonly recorder: Recorder;
  readonly steps: StepNote[];
  readonly keys: string[];
  completeTuples: number;
}

interface StepNote {
  readonly asked: string[];
  readonly found: (readonly SqlValue[])[];
  left: number;
}

function emptyNote(rules: EvaluationRules): RouteNote {
  return { recorder: toRecorder(rules), steps: [], keys: [], completeTuples: 0 };
}

function noteKey(stream: string, route: number): string {
  return `${route} ${stream}`;
}

function observedStream(
  { plan, sourceNames, lookupNames }: NamedPlan,
  rules: EvaluationRules,
  notes: Map<string, RouteNotes>,
): CompiledRequests {
  const { name, isDefault, priority } = plan;
  const routes = plan.routes.map((route, index) => {
    const ofRoute: RouteNotes = new Map();
    notes.set(noteKey(name, index), ofRoute);
    const noteOf = ({ request }: EvaluationScope): RouteNote => {
      const note = ofRoute.get(request) ?? emptyNote(rules);
      ofRoute.set(request, note);
      return note;
    };
    const observe: EvaluationRules['observe'] = (expression, scope, value) =>
      noteOf(scope).recorder.observe(expression, scope, value);
    return observedRoute(compileRoute(route, { ...rules, observe }), noteOf);
  });
  return { name, isDefault, priority, sourceNames, lookupNames, routes };
}

/** Returns the same route with its decisions recorded as they are made. */
function observedRoute(route: CompiledRoute, noteOf: (scope: EvaluationScope) => RouteNote): CompiledRoute {
  return {
    ...route,
    steps: route.steps.map((step, index) =>
      observedStep(step, (scope) => {
        const { steps } = noteOf(scope);
        steps[index] ??= { asked: [], found: [], left: 0 };
        return steps[index];
      }),
    ),
    keyOf: (tuple, scope) => {
      const note = noteOf(scope);
      note.completeTuples += 1;
      const key = route.keyOf(tuple, scope);
      if (key !== undefined) note.keys.push(key);
      return key;
    },
  };
}

function observedStep(step: CompiledStep, noteOf: (scope: EvaluationScope) => StepNote): CompiledStep {
  const join: CompiledStep['join'] = (rows) => {
    const joined = step.join(rows);
    return (tuple, scope) => {
      const result = joined(tuple, scope);
      const note = noteOf(scope);
      if (step.kind === 'lookup') for (const row of rows) note.found.push(row);
      note.left += result.length;
      return result;
    };
  };
  if (step.kind === 'lookup') {
    const keyOf = (tuple: Tuple, scope: EvaluationScope) => {
      const key = step.keyOf(tuple, scope);
      const note = noteOf(scope);
      if (key !== undefined) note.asked.push(key);
      return key;
    };
    return { ...step, keyOf, join };
  }
  const rowsOf = (scope: EvaluationScope) => {
    const rows = step.rowsOf(scope);
    const { found } = noteOf(scope);
    for (const row of rows) found.push(row);
    return rows;
  };
  return { ...step, rowsOf, join };
}

function verdict(
  route: BucketRoute,
  { plan, sourceNames }: NamedPlan,
  { recorder, steps: noted, keys, completeTuples }: RouteNote,
  code: RuntimeCode | undefined,
): Omit<RouteTrace, 'reason' | 'at' | 'keys'> {
  const conditions = recorder.conditions(route.filter);
  const placeOf = (step: RouteStep): Origin =>
    step.kind === 'expand' ? step.expansion.at : (plan.lookups[step.lookup]?.at ?? route.at);
  const steps = noted.map((note, index): StepTrace => {
    const step = route.steps[index] as RouteStep;
    const table = step.kind === 'lookup' ? plan.lookups[step.lookup]?.table : undefined;
    return { kind: step.kind, at: placeOf(step), ...(table && { table }), ...note };
  });
  const buckets = [...new Set(keys)].map((key) => `${sourceNames[route.source]}${key}`);
  const trace = { conditions, steps, buckets };
  // A failing table function is not an expression, so it is not recorded.
  const failure = code && (recorder.failure() ?? { code, at: route.at });
  if (failure !== undefined) return { ...trace, outcome: 'failed', mismatch: failure.at, failure };
  if (buckets.length > 0) return { ...trace, outcome: 'given' };
  const condition = conditions.find(({ holds }) => !holds);
  if (condition !== undefined) return { ...trace, outcome: 'filtered', mismatch: condition.at };
  return { ...trace, ...obstacle(route, noted, recorder, completeTuples > 0, placeOf) };
}

/** Finds why a route whose conditions hold selects no bucket. */
function obstacle(
  { keys, steps }: BucketRoute,
  noted: readonly (StepNote | undefined)[],
  recorder: Recorder,
  isComplete: boolean,
  placeOf: (step: RouteStep) => Origin,
): Verdict {
  const index = noted.findIndex((note) => note?.left === 0);
  const step = steps[index];
  const isNull = (value: Expression): boolean => recorder.values([value])[0]?.value === null;
  const inputs = step?.kind === 'lookup' ? step.inputs : [];
  // A step joins the values that it finds with the values with which they are compared.
  const joined = meetingsOf({ keys, steps }).filter((meeting) =>
    meeting.some((value) => value.kind === 'output' && value.step === index),
  );
  const compared = step === undefined ? keys : [...inputs, ...joined];
  for (const value of compared.flat())
    if (value.kind === 'request' && isNull(value.value)) return lackOf(value.value, value.at);
  const argument = step?.kind === 'expand' ? step.expansion.args.find(isNull) : undefined;
  if (argument !== undefined) return lackOf(argument, argument.at);
  const { asked = [] } = noted[index] ?? {};
  if (step !== undefined && (step.kind === 'expand' || asked.length > 0))
    return { outcome: 'nothing found', mismatch: placeOf(step) };
  const unequal = compared.find((meeting) => meeting.length > 1)?.[0];
  if (unequal !== undefined) return { outcome: 'no common value', mismatch: unequal.at };
  if (step === undefined && !isComplete) return { outcome: 'no key' };
  const values = (step === undefined ? keys : inputs).flat();
  const empty = values.find(
    (value) =>
      value.kind === 'output' &&
      (noted[value.step]?.found ?? []).every((row) => (row[value.output] ?? null) === null),
  );
  const decisive = empty ?? values[0];
  return { outcome: 'no key', ...(decisive && { mismatch: decisive.at }) };
}

type Verdict = Pick<RouteTrace, 'outcome' | 'mismatch' | 'missing'>;

function lackOf(value: Expression, mismatch: Origin): Verdict {
  const missing = requestReadOf(value);
  return { outcome: 'no key', mismatch, ...(missing && { missing }) };
}
