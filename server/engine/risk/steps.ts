/** Finds how the steps of a route depend on the request and on each other. */
import type { Expression } from '../plan/expression.ts';
import type { RouteStep } from '../plan/plan.ts';

/** Returns the request values from which a step is computed. */
export function requestValuesOf(step: RouteStep): readonly Expression[] {
  if (step.kind === 'expand') return step.expansion.args;
  return step.inputs.flat().flatMap((input) => (input.kind === 'request' ? [input.value] : []));
}

/** The lookups that use outputs of a step, by the index of that step. */
export type StepsAfter = ReadonlyMap<number, readonly number[]>;

export function stepsAfterEach(steps: readonly RouteStep[]): StepsAfter {
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
