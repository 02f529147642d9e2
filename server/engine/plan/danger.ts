/** Does the client alone choose what a route gives it? */
import { append } from '../ground/append.ts';
import { childrenOf, contains, type Expression, isAuthData, type RequestData } from './expression.ts';
import type { BucketRoute, RouteStep, RouteValue } from './plan.ts';

/** Where something that the client chooses is read. */
type ClientChoice = RequestData;

/**
 * The client's choice that alone selects the content of the buckets of a route: no key depends on the token, or,
 * without keys that depend on the request, no filter of the request does. Filters next to such keys do not count,
 * for the reference either.
 */
export function clientChoiceOf({
  keys,
  filter,
  steps,
}: Omit<BucketRoute, 'source'>): ClientChoice | undefined {
  const after = stepsAfterEach(steps);
  const fromKeys = keys.flat().flatMap((value) => originsOf(value, steps, after));
  const origins = fromKeys.some((value) => contains(value, ({ kind }) => kind === 'request'))
    ? fromKeys
    : filter;
  if (origins.some((value) => contains(value, isAuthData))) return undefined;
  return firstOf(origins.map(findClientData));
}

/** The steps that decide nothing about a key. They only let a request pass, as the filter does. */
export function guardingSteps({ keys, steps }: Omit<BucketRoute, 'source'>): readonly RouteStep[] {
  const after = stepsAfterEach(steps);
  const values = keys.flat();
  const deciding = new Set(
    values.flatMap((value) => (value.kind === 'output' ? [...stepsBehind(value.step, steps, after)] : [])),
  );
  return steps.filter((_, index) => !deciding.has(index));
}

/** What a step is computed from of the request. */
export function requestValuesOf(step: RouteStep): readonly Expression[] {
  if (step.kind === 'expand') return step.expansion.args;
  return step.inputs.flat().flatMap((input) => (input.kind === 'request' ? [input.value] : []));
}

/**
 * All request values that decide about a key: what it is computed from, through the inputs of lookups, and what the
 * rows on the way are joined with, as the join leaves out those that match nothing.
 */
function originsOf(value: RouteValue, steps: readonly RouteStep[], after: StepsAfter): readonly Expression[] {
  if (value.kind === 'request') return [value.value];
  return [...stepsBehind(value.step, steps, after)].flatMap((index) => {
    const step = steps[index];
    return step === undefined ? [] : requestValuesOf(step);
  });
}

function stepsBehind(first: number, steps: readonly RouteStep[], after: StepsAfter): ReadonlySet<number> {
  const seen = new Set<number>();
  const waiting = [first];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const step = steps[index];
    if (!step || seen.has(index)) continue;
    seen.add(index);
    append(waiting, after.get(index) ?? []);
    if (step.kind === 'expand') continue;
    for (const input of step.inputs.flat()) if (input.kind === 'output') waiting.push(input.step);
  }
  return seen;
}

/** The lookups that take outputs of a step, by the index of that step. */
type StepsAfter = ReadonlyMap<number, readonly number[]>;

function stepsAfterEach(steps: readonly RouteStep[]): StepsAfter {
  const after = new Map<number, number[]>();
  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'lookup') continue;
    for (const input of step.inputs.flat()) {
      if (input.kind !== 'output') continue;
      const known = after.get(input.step);
      if (known === undefined) after.set(input.step, [index]);
      else known.push(index);
    }
  }
  return after;
}

function firstOf<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}

function findClientData(expression: Expression): ClientChoice | undefined {
  if (expression.kind === 'request') return expression.part === 'auth' ? undefined : expression;
  return firstOf(childrenOf(expression).map(findClientData));
}
