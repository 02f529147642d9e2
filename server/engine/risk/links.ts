/**
 * Finds the request values with which the rows of a route are compared: directly, through the rows of lookups, or through a value
 * that the client chooses and with which something else is compared as well.
 */

import { append } from '../ground/append.ts';
import { contains, type Expression, expressionText } from '../plan/expression.ts';
import { meetingsOf } from '../plan/meetings.ts';
import type { BucketRoute, RouteStep, RouteValue } from '../plan/plan.ts';
import { comparedIn, isClientData } from './proof.ts';
import { requestValuesOf, stepsAfterEach } from './steps.ts';

type RouteParts = Omit<BucketRoute, 'source' | 'at' | 'priority'>;

/** The request values to which something is linked, and how. */
export interface Links {
  /** The values that a column of the row equals. */
  readonly direct: readonly Expression[];
  /** The values behind lookups and lists, with the steps that link to them. */
  readonly through: readonly { readonly value: Expression; readonly step: number }[];
  readonly steps: ReadonlySet<number>;
}

/** Returns all links of the synced row. */
export function linksOfRow(route: RouteParts): Links {
  return follow(route, route.keys.flat(), []);
}

/** Returns all links of the rows of a step. */
export function linksOfStep(route: RouteParts, step: number): Links {
  return follow(route, [], [step]);
}

function follow(route: RouteParts, values: readonly RouteValue[], first: readonly number[]): Links {
  const { steps } = route;
  const after = stepsAfterEach(steps);
  const direct: Expression[] = [];
  const through: { value: Expression; step: number }[] = [];
  const seen = new Set<number>();
  const chosen = new Set<string>();
  const waiting = [...first];
  const takeRequest = (value: Expression, step: number | undefined): void => {
    if (step === undefined) direct.push(value);
    else through.push({ value, step });
    const text = expressionText(value);
    // Two uses of the same claim do not link the values that are compared with it, but two uses of the same chosen value do.
    if (!contains(value, isClientData) || chosen.has(text)) return;
    chosen.add(text);
    for (const other of equalTo(route, text)) takeRequest(other, step);
    for (const [index, each] of steps.entries()) if (comparesWith(each, text)) waiting.push(index);
  };
  const take = (value: RouteValue, step: number | undefined): void => {
    if (value.kind === 'request') takeRequest(value.value, step);
    else waiting.push(value.step);
  };
  for (const value of values) take(value, undefined);
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const step = steps[index];
    if (step === undefined || seen.has(index)) continue;
    seen.add(index);
    append(waiting, after.get(index) ?? []);
    if (step.kind === 'lookup') for (const input of step.inputs.flat()) take(input, index);
    else for (const value of [...step.expansion.args, ...requestsIn(step.filter)]) takeRequest(value, index);
  }
  return { direct, through, steps: seen };
}

/** Returns the values that a condition of the request, or a key with several values, requires to be equal to a given one. */
function equalTo({ filter, ...route }: RouteParts, text: string): readonly Expression[] {
  const pairs = filter.flatMap((condition) =>
    condition.kind === 'operation' && condition.op === '=' ? [condition.args] : [],
  );
  const meetings = meetingsOf(route).map((meeting) =>
    meeting.flatMap((value) => (value.kind === 'request' ? [value.value] : [])),
  );
  return [...pairs, ...meetings].flatMap((values) =>
    values.some((value) => expressionText(value) === text)
      ? values.filter((value) => expressionText(value) !== text)
      : [],
  );
}

function comparesWith(step: RouteStep, text: string): boolean {
  const values = step.kind === 'expand' ? requestsIn(step.filter) : requestValuesOf(step);
  return values.some((value) => expressionText(value) === text);
}

function requestsIn(conditions: readonly Expression[]): readonly Expression[] {
  return conditions.flatMap(comparedIn).filter((value) => contains(value, ({ kind }) => kind === 'request'));
}
