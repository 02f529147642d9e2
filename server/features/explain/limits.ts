/** What a service said of how much clients get, stream by stream, and what that is in words. */
import type { PlacedDefinition } from '../../engine/index.ts';
import type { BucketWords } from '../../engine/map/buckets.ts';
import { fingerprintOf } from '../../engine/plan/fingerprint.ts';

export interface KnownLimits {
  /** What one client may have. */
  readonly limits: { readonly buckets: number; readonly results: number };
  readonly streams: ReadonlyMap<string, KnownStream>;
}

interface KnownStream {
  /** Of what is deployed. */
  readonly fingerprint: string;
  readonly buckets: number;
  /** Values that PowerSync's service would read. */
  readonly reference: number;
  /** Of each element of a list in the request. */
  readonly perElement: boolean;
}

/** Undefined if it is no forecast. */
export function readKnownLimits(forecast: unknown): KnownLimits | undefined {
  const { limits, streams } = fieldsOf(forecast);
  const { buckets, results } = fieldsOf(limits);
  if (!Array.isArray(streams) || typeof buckets !== 'number' || typeof results !== 'number') return undefined;
  return { limits: { buckets, results }, streams: new Map(streams.flatMap(readStream)) };
}

function readStream(value: unknown): readonly [string, KnownStream][] {
  const { name, fingerprint, buckets, reference, perElement } = fieldsOf(value);
  if (typeof name !== 'string' || typeof fingerprint !== 'string') return [];
  if (typeof buckets !== 'number' || typeof reference !== 'number') return [];
  return [[name, { fingerprint, buckets, reference, perElement: perElement === true }]];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Undefined where nothing is known of the stream as it stands. */
export function limitWordsOf(
  { definition, plan }: PlacedDefinition,
  { limits, streams }: KnownLimits,
): BucketWords | undefined {
  const known = streams.get(definition.name);
  if (plan === undefined || known === undefined || known.fingerprint !== fingerprintOf(plan))
    return undefined;
  const { buckets, reference, perElement } = known;
  const each = perElement ? ' for each element' : '';
  const parts = [
    ...(buckets > 1 || perElement
      ? [`up to ${share(buckets, limits.buckets)} ${buckets === 1 ? 'bucket' : 'buckets'}`]
      : []),
    ...(reference > buckets ? [`${share(reference, limits.results)} results in PowerSync's service`] : []),
  ];
  if (parts.length === 0) return undefined;
  const details = [
    `In the data, one client has at most ${number(buckets)} buckets of this stream${each}; it may have ${number(limits.buckets)} of all streams together.`,
    ...(reference > buckets
      ? [
          `PowerSync's service would read ${number(reference)} values for it, and refuses a client for which it reads more than ${number(limits.results)}.`,
        ]
      : []),
  ];
  return { label: parts.join(', ') + each, details };
}

/** Of a limit only what is near it is said. */
function share(count: number, most: number): string {
  return count >= near * most ? `${number(count)} of ${number(most)}` : number(count);
}

const near = 0.8;

function number(count: number): string {
  return count.toLocaleString('en');
}
