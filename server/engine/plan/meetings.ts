import type { BucketRoute, Meeting } from './plan.ts';

/** Returns all values that a route compares with rows: those in the name of the bucket first, then those of each lookup. */
export function meetingsOf({ keys, steps }: Pick<BucketRoute, 'keys' | 'steps'>): readonly Meeting[] {
  return [...keys, ...steps.flatMap((step) => (step.kind === 'lookup' ? step.inputs : []))];
}
