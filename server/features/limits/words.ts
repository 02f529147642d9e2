/** Describes a stream's share of the limits in plain English, as far as it is known. */
import type { PlacedDefinition } from '../../engine/index.ts';
import { type KnownLimits, knownStreamOf, near } from './knownLimits.ts';
import { scopeColumnOf } from './scopeColumn.ts';

export interface LimitWords {
  /** The parts of a label, the most important one first. */
  readonly labels: readonly string[];
  readonly details: readonly string[];
  readonly isNear: boolean;
}

/** Returns undefined if nothing is known about the stream in its current form. */
export function limitWordsOf(placed: PlacedDefinition, known: KnownLimits): LimitWords | undefined {
  const stream = knownStreamOf(placed, known);
  if (stream === undefined) return undefined;
  const { limits } = known;
  const { buckets, reference, perElement, atMost } = stream;
  const each = perElement ? ' for each element' : '';
  // Whether the number is near a limit. An upper bound does not count, because it may be far too high.
  const isNear = {
    buckets: buckets >= near * limits.buckets,
    reference: !atMost && reference >= near * limits.results,
  };
  const ofBuckets =
    buckets > 1 || perElement
      ? [`up to ${share(buckets, limits.buckets)} ${buckets === 1 ? 'bucket' : 'buckets'}${each}`]
      : [];
  const amount = atMost ? `at most ${number(reference)}` : share(reference, limits.results);
  const ofReference = reference > buckets ? [`${amount} results in PowerSync${each}`] : [];
  const parts =
    isNear.reference && !isNear.buckets ? [...ofReference, ...ofBuckets] : [...ofBuckets, ...ofReference];
  if (parts.length === 0) return undefined;
  const scope = isNear.buckets || isNear.reference ? scopeColumnOf(placed) : undefined;
  const details = [
    `With the current data, one client has at most ${number(buckets)} ${buckets === 1 ? 'bucket' : 'buckets'} of this stream${each}. A client may have ${number(limits.buckets)} buckets of all streams together.`,
    ...(reference > buckets
      ? [
          `PowerSync's service would read ${atMost ? 'at most ' : ''}${number(reference)} values for this stream. It refuses a client that needs more than ${number(limits.results)}.`,
        ]
      : []),
    ...(scope === undefined ? [] : [scope]),
  ];
  return { labels: parts, details, isNear: isNear.buckets || isNear.reference };
}

/** Mentions a limit only if the count is near it. */
function share(count: number, most: number): string {
  return count >= near * most ? `${number(count)} of ${number(most)}` : number(count);
}

function number(count: number): string {
  return count.toLocaleString('en');
}
