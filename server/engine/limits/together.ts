/** Runs several evaluations together, with a single read for all of them at each stage. */
import type { LookupAnswer } from '../plan/evaluate/requests.ts';

/** Work that requests lookup keys by yielding them. */
export type LookupWork<T> = Generator<readonly string[], T, LookupAnswer>;

export function* together<T>(evaluations: readonly LookupWork<T>[]): LookupWork<readonly T[]> {
  let steps = evaluations.map((evaluation) => evaluation.next());
  for (;;) {
    const keys = new Set(steps.flatMap((step) => (step.done ? [] : step.value)));
    if (keys.size === 0 && steps.every(({ done }) => done)) break;
    const answer: LookupAnswer = keys.size === 0 ? new Map() : yield [...keys];
    steps = steps.map((step, index) => (step.done ? step : (evaluations[index]?.next(answer) ?? step)));
  }
  return steps.flatMap((step) => (step.done ? [step.value] : []));
}
