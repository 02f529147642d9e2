/**
 * Counts the buckets of a stream that one client gets, as far as the plan determines their number, and explains why there are many.
 */
import type { Origin } from './expression.ts';
import type { BucketRoute, Meeting, RouteStep, StreamPlan } from './plan.ts';

/** The number of buckets of one route: the product of its factors, or one if there are no factors. */
export interface BucketCount {
  readonly route: BucketRoute;
  /** Whether no key distinguishes clients, so that all clients with access get the same bucket. */
  readonly isShared: boolean;
  readonly factors: readonly Factor[];
}

/** A key that can have several values for one client. */
export interface Factor {
  readonly kind: 'rows' | 'elements';
  /** The table or list that contains the values of the key. */
  readonly of: Origin;
  /** The place where the key is compared with these values. */
  readonly at: Origin;
}

export function bucketsOf({ routes, lookups }: StreamPlan): readonly BucketCount[] {
  return routes.map((route) => ({
    route,
    isShared: route.keys.length === 0,
    factors: manifold(route).flatMap(({ step, at }): readonly Factor[] => {
      if (step.kind === 'expand') {
        const { args, at: whole } = step.expansion;
        return [{ kind: 'elements', of: args[0]?.at ?? whole, at }];
      }
      const lookup = lookups[step.lookup];
      return lookup ? [{ kind: 'rows', of: lookup.at, at }] : [];
    }),
  }));
}

interface KeyStep {
  readonly step: RouteStep;
  readonly at: Origin;
}

/**
 * Returns the steps on which keys depend, without the steps on which other such steps depend, because their values stay together.
 */
function manifold({ keys, steps }: BucketRoute): readonly KeyStep[] {
  const origins = new Map<number, KeyStep>();
  for (const key of keys) {
    const index = stepOf(key);
    const step = index === undefined ? undefined : steps[index];
    const [value] = key;
    if (index !== undefined && step && value && !origins.has(index))
      origins.set(index, { step, at: value.at });
  }
  if (origins.size < 2) return [...origins.values()];
  const earlier = new Set([...origins.keys()].flatMap((index) => stepsBefore(index, steps)));
  return [...origins].flatMap(([index, origin]) => (earlier.has(index) ? [] : [origin]));
}

/** Returns undefined for a key that must equal a value of the request, because there is only one such value. */
function stepOf(key: Meeting): number | undefined {
  const [first] = key;
  if (first?.kind !== 'output' || key.some(({ kind }) => kind === 'request')) return undefined;
  return first.step;
}

function stepsBefore(index: number, steps: readonly RouteStep[]): readonly number[] {
  const before = new Set<number>();
  const waiting = [index];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const step = steps[next];
    if (step?.kind !== 'lookup') continue;
    for (const value of step.inputs.flat())
      if (value.kind === 'output' && !before.has(value.step)) {
        before.add(value.step);
        waiting.push(value.step);
      }
  }
  return [...before];
}
