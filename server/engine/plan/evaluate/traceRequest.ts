/** Why a request gets the buckets that it gets, and no others: the request side, observed. */
import type { Origin } from '../expression.ts';
import type { BucketRoute } from '../plan.ts';
import type { RuntimeCode } from '../values/failure.ts';
import type { SqlValue } from '../values/value.ts';
import type { NamedPlan } from './names.ts';
import { type ConditionTrace, type FailureTrace, type Recorder, toRecorder } from './observations.ts';
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

interface RequestTrace {
  readonly result: RequestResult;
  readonly routes: readonly RouteTrace[];
}

export type RequestTracing = Generator<readonly string[], RequestTrace, LookupAnswer>;

/** One route of a stream, for one reason to evaluate it. */
interface RouteTrace {
  readonly reason: Reason;
  readonly at: Origin;
  /**
   * - `given`: it leads to buckets.
   * - `filtered`: a condition on the request does not hold.
   * - `nothing found`: a lookup, or the elements of request data, gave nothing.
   * - `no key`: a value that should name a bucket is NULL, or two that should be equal are not.
   */
  readonly outcome: 'given' | 'filtered' | 'nothing found' | 'no key' | 'failed';
  /** The first condition or lookup that excluded it. */
  readonly mismatch?: Origin;
  readonly failure?: FailureTrace;
  readonly conditions: readonly ConditionTrace[];
  /** As far as it came. */
  readonly steps: readonly StepTrace[];
  readonly buckets: readonly string[];
}

interface StepTrace {
  readonly kind: 'lookup' | 'expand';
  /** The lookup, or the table function. */
  readonly at: Origin;
  /** The lookup keys that were asked; none if the inputs are NULL. */
  readonly asked: readonly string[];
  /** What was found, before it is joined with what is known. */
  readonly found: readonly (readonly SqlValue[])[];
  /** How many combinations of values were left after it. */
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
      const code = result.failures.find((failure) => failure.reason === reason)?.code;
      const named = plans.find(({ plan }) => plan.name === name);
      return (named?.plan.routes ?? []).map((route, index): RouteTrace => {
        const noted = notes.get(noteKey(name, index))?.get(scope.request) ?? emptyNote(rules);
        return { reason, at: route.at, ...verdict(route, named as NamedPlan, noted, code) };
      });
    }),
  };
}

/** What happened to a route, by the request data that it was evaluated for. */
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

/** The same decisions, written down as they are taken. */
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
): Omit<RouteTrace, 'reason' | 'at'> {
  const conditions = recorder.conditions(route.filter);
  const steps = noted.map((note, index): StepTrace => {
    const step = route.steps[index] as BucketRoute['steps'][number];
    const at = step.kind === 'expand' ? step.expansion.at : (plan.lookups[step.lookup]?.at ?? route.at);
    return { kind: step.kind, at, ...note };
  });
  const buckets = [...new Set(keys)].map((key) => `${sourceNames[route.source]}${key}`);
  const trace = { conditions, steps, buckets };
  // A route that fails ends its whole evaluation. So does a table function, which is not an expression.
  const failure = code && (recorder.failure() ?? { code, at: route.at });
  if (failure !== undefined) return { ...trace, outcome: 'failed', mismatch: failure.at, failure };
  if (buckets.length > 0) return { ...trace, outcome: 'given' };
  const condition = conditions.find(({ holds }) => !holds);
  if (condition !== undefined) return { ...trace, outcome: 'filtered', mismatch: condition.at };
  const empty = steps.find(({ left }) => left === 0);
  if (empty !== undefined) return { ...trace, outcome: 'nothing found', mismatch: empty.at };
  const key = completeTuples > 0 ? route.keys[0]?.[0]?.at : undefined;
  return { ...trace, outcome: 'no key', ...(key && { mismatch: key }) };
}
