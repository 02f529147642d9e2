/** The claims and parameters of a request that decide what a stream gives. */
import { childrenOf, type Expression, type RequestData } from '../plan/expression.ts';
import type { Meeting, RouteStep, StreamPlan } from '../plan/plan.ts';

/** One claim, connection parameter or subscription parameter. */
export interface Decider {
  readonly part: RequestData['part'];
  readonly path: readonly string[];
}

/**
 * Returns the distinct deciders of a plan; undefined if it reads an entire part of the request, because then anything in that part
 * may decide.
 */
export function decidersOf({ routes }: StreamPlan): readonly Decider[] | undefined {
  const read = routes
    .flatMap(({ filter, keys, steps }) => [
      ...filter,
      ...keys.flatMap(requestValues),
      ...steps.flatMap(stepValues),
    ])
    .flatMap(decidersIn);
  const byText = new Map<string, Decider>();
  for (const decider of read) {
    if (decider === undefined) return undefined;
    byText.set(deciderText(decider), decider);
  }
  return [...byText.values()];
}

export function deciderText({ part, path }: Decider): string {
  if (part === 'auth' && path.length === 1 && path[0] === 'sub') return 'auth.user_id()';
  return `${part}.parameter('${path.join('.')}')`;
}

/**
 * Returns, for each input of a lookup, the decider whose unchanged value it is. A key of the lookup then shows values of deciders.
 * Undefined if one of the inputs is something else.
 */
export function decidersAskedBy(step: RouteStep): readonly Decider[] | undefined {
  if (step.kind !== 'lookup') return undefined;
  const deciders: Decider[] = [];
  for (const [value] of step.inputs) {
    const decider = value?.kind === 'request' ? deciderOf(value.value) : undefined;
    if (decider === undefined) return undefined;
    deciders.push(decider);
  }
  return deciders;
}

/** Returns the plan without the conditions on deciders that no lookup shows. These conditions count as met. */
export function withoutUntold(plan: StreamPlan, told: ReadonlySet<string>): StreamPlan {
  const isTold = (condition: Expression) =>
    decidersIn(condition).every((decider) => decider !== undefined && told.has(deciderText(decider)));
  const routes = plan.routes.map((route) => ({ ...route, filter: route.filter.filter(isTold) }));
  return { ...plan, routes };
}

function stepValues(step: RouteStep): readonly Expression[] {
  return step.kind === 'lookup' ? step.inputs.flatMap(requestValues) : step.expansion.args;
}

function requestValues(meeting: Meeting): readonly Expression[] {
  return meeting.flatMap((value) => (value.kind === 'request' ? [value.value] : []));
}

/** Returns the deciders of an expression, with undefined for each entire part of the request that it reads. */
function decidersIn(expression: Expression): readonly (Decider | undefined)[] {
  const decider = deciderOf(expression);
  if (decider !== undefined) return [decider];
  return expression.kind === 'request' ? [undefined] : childrenOf(expression).flatMap(decidersIn);
}

/**
 * Returns the decider of an expression that reads one value of the request, such as a path, `auth ->> 'sub'` or `auth ->> '$.sub'`.
 */
function deciderOf(expression: Expression): Decider | undefined {
  if (expression.kind === 'request' && expression.path !== undefined)
    return { part: expression.part, path: expression.path };
  if (expression.kind !== 'operation' || expression.op !== '->>') return undefined;
  const [document, key] = expression.args;
  if (document?.kind !== 'request' || document.path !== undefined) return undefined;
  if (key?.kind !== 'constant' || key.value.type !== 'text') return undefined;
  const name = key.value.value;
  if (!name.startsWith('$')) return { part: document.part, path: [name] };
  return /^(?:\.\w+)+$/.test(name.slice(1))
    ? { part: document.part, path: name.slice(2).split('.') }
    : undefined;
}
