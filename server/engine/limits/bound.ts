/** The upper bound of what a stream can give to any user, computed from the number of values under the keys of its lookups. */
import type { BucketRoute, LookupStep, Meeting, RouteStep, StreamPlan } from '../plan/plan.ts';
import { largestNumber } from './amounts.ts';
import type { KeySize } from './sizes.ts';

interface Bound {
  readonly buckets: number;
  /** The number of values that lookups find. */
  readonly results: number;
  /** The number of values under all keys that are read. */
  readonly reads: number;
}

type SizeOf = (step: LookupStep) => KeySize;

/**
 * Returns the bound for one subscription, or for one element if the stream reads a list of the request.
 *
 * @param sizeOf returns the maximum number of values under one key of a lookup
 */
export function boundOf({ routes }: StreamPlan, sizeOf: SizeOf): Bound {
  const bounds = routes.map((route) => boundOfRoute(route, sizeOf));
  const sum = (of: (bound: Bound) => number) =>
    Math.min(
      largestNumber,
      bounds.reduce((all, bound) => all + of(bound), 0),
    );
  return {
    buckets: sum(({ buckets }) => buckets),
    results: sum(({ results }) => results),
    reads: sum(({ reads }) => reads),
  };
}

function boundOfRoute({ steps, keys: bucketKeys }: BucketRoute, sizeOf: SizeOf): Bound {
  const sizes: number[] = [];
  let reads = 0;
  for (const step of steps) {
    if (step.kind === 'expand') sizes.push(1);
    else {
      const keys = product(step.inputs, sizes);
      const { values, distinct } = sizeOf(step);
      sizes.push(Math.min(largestNumber, keys * distinct));
      reads += keys * values;
    }
  }
  const buckets = Math.min(largestNumber, sizes.includes(0) ? 0 : product(bucketKeys, sizes));
  const isLookedUp = steps.some(({ kind }) => kind === 'lookup');
  return { buckets, results: isLookedUp ? buckets : 0, reads };
}

/** Returns the number of different value combinations for these places. Values of one step stay together. */
function product(meetings: readonly Meeting[], sizes: readonly number[]): number {
  const steps = new Set(meetings.flatMap((meeting) => smallestOf(meeting, sizes) ?? []));
  return [...steps].reduce((all, step) => all * (sizes[step] ?? 0), 1);
}

/**
 * Returns the step with the fewest values, which decides because all values of a meeting must be equal. Undefined if one of the
 * values is from the request.
 */
function smallestOf(meeting: Meeting, sizes: readonly number[]): number | undefined {
  if (meeting.some(({ kind }) => kind === 'request')) return undefined;
  const steps = meeting.flatMap((value) => (value.kind === 'output' ? [value.step] : []));
  return steps.toSorted((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0))[0];
}

/** Whether the plan reads a list of the request, because the data does not show the length of that list. */
export function readsList({ routes }: StreamPlan): boolean {
  return routes.some(({ steps }) => steps.some(({ kind }: RouteStep) => kind === 'expand'));
}
