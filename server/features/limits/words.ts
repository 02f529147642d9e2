/** What is known of a stream's share of the limits, in words. */
import type { PlacedDefinition } from '../../engine/index.ts';
import type { BucketWords } from '../../engine/map/buckets.ts';
import { type KnownLimits, knownStreamOf, near } from './knownLimits.ts';

/** Undefined where nothing is known of the stream as it stands. */
export function limitWordsOf(placed: PlacedDefinition, known: KnownLimits): BucketWords | undefined {
  const stream = knownStreamOf(placed, known);
  if (stream === undefined) return undefined;
  const { limits } = known;
  const { buckets, reference, perElement, atMost } = stream;
  const each = perElement ? ' for each element' : '';
  // What may be much less is near no limit.
  const shareOf = (count: number, most: number) => (atMost ? `at most ${number(count)}` : share(count, most));
  const parts = [
    ...(buckets > 1 || perElement
      ? [`up to ${share(buckets, limits.buckets)} ${buckets === 1 ? 'bucket' : 'buckets'}`]
      : []),
    ...(reference > buckets ? [`${shareOf(reference, limits.results)} results in PowerSync's service`] : []),
  ];
  if (parts.length === 0) return undefined;
  const details = [
    `In the data, one client has at most ${number(buckets)} buckets of this stream${each}; it may have ${number(limits.buckets)} of all streams together.`,
    ...(reference > buckets
      ? [
          `PowerSync's service would read ${atMost ? 'at most ' : ''}${number(reference)} values for it, and refuses a client for which it reads more than ${number(limits.results)}.`,
        ]
      : []),
  ];
  return { label: parts.join(', ') + each, details };
}

/** Of a limit only what is near it is said. */
function share(count: number, most: number): string {
  return count >= near * most ? `${number(count)} of ${number(most)}` : number(count);
}

function number(count: number): string {
  return count.toLocaleString('en');
}
