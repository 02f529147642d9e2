/** Decides whether the client alone chooses what a route gives it. */
import { append } from '../ground/append.ts';
import { childrenOf, contains, type Expression, type RequestData } from '../plan/expression.ts';
import type { BucketRoute, RouteStep, RouteValue } from '../plan/plan.ts';
import { linksOfRow } from './links.ts';
import { proofOf } from './proof.ts';
import { requestValuesOf, type StepsAfter, stepsAfterEach } from './steps.ts';

/** The place where a value that the client chooses is read. */
type ClientChoice = RequestData;

/**
 * Returns the client's choice if it alone selects the content of a route's buckets: no key depends on the token, or, if no key
 * depends on the request, no filter of the request depends on the token. Filters in addition to such keys do not count, and neither
 * do they in the reference. A chosen value that must be found together with a value of the token, as in `channel_id = P AND P IN
 * (SELECT channel_id FROM members WHERE user_id = auth.user_id())`, is not a choice of the client alone.
 */
export function clientChoiceOf(route: Omit<BucketRoute, 'source'>): ClientChoice | undefined {
  const { keys, filter, steps } = route;
  const after = stepsAfterEach(steps);
  const fromKeys = keys.flat().flatMap((value) => originsOf(value, steps, after));
  const origins = fromKeys.some((value) => contains(value, ({ kind }) => kind === 'request'))
    ? fromKeys
    : filter;
  if (origins.some((value) => proofOf(value).kind !== 'none')) return undefined;
  return isProven(route) ? undefined : firstOf(origins.map(findClientData));
}

function isProven(route: Omit<BucketRoute, 'source'>): boolean {
  const { direct, through } = linksOfRow(route);
  return [...direct, ...through.map(({ value }) => value)].some((value) => proofOf(value).kind !== 'none');
}

/** Returns the steps that decide nothing about a key. They only decide whether a request passes, like the filter. */
export function guardingSteps({ keys, steps }: Omit<BucketRoute, 'source'>): readonly RouteStep[] {
  const after = stepsAfterEach(steps);
  const values = keys.flat();
  const deciding = new Set(
    values.flatMap((value) => (value.kind === 'output' ? [...stepsBehind(value.step, steps, after)] : [])),
  );
  return steps.filter((_, index) => !deciding.has(index));
}

/**
 * Returns all request values that decide about a key: those from which it is computed, through the inputs of lookups, and those
 * with which the rows on the route are joined, because the join excludes rows without a match.
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

function firstOf<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}

function findClientData(expression: Expression): ClientChoice | undefined {
  if (expression.kind === 'request') return expression.part === 'auth' ? undefined : expression;
  return firstOf(childrenOf(expression).map(findClientData));
}
