import { describe, expect, test } from 'vitest';
import type { GivenBucket, Reason } from '../../../server/engine/plan/evaluate/requests.ts';
import { sentenceForExcess } from '../../../server/service/sync/failures.ts';
import { type Limits, leaveOutExcess } from '../../../server/service/sync/overLimit.ts';

const streams = new Map<string, Reason>();

/** Always returns the same reason object for a stream, as an evaluation does. */
function reasonOf(stream: string): Reason {
  const known = streams.get(stream) ?? { stream, subscription: 0 };
  streams.set(stream, known);
  return known;
}

/**
 * Leaves out the streams of a drawing that exceed the limits. `a: x y` means that stream a has the buckets x and y. A star marks
 * buckets that were looked up.
 */
function leaveOut(drawing: string, limits: Partial<Limits>) {
  const buckets = new Map<string, GivenBucket>();
  for (const line of drawing.split(', ')) {
    const [stream = '', names = ''] = line.split(': ');
    for (const name of names.split(' ')) {
      const bucket = name.replace('*', '');
      const known = buckets.get(bucket);
      const reasons = [...(known?.reasons ?? []), reasonOf(stream)];
      const lookedUp = known?.lookedUp === true || name.endsWith('*');
      buckets.set(bucket, { bucket, priority: 3, reasons, lookedUp });
    }
  }
  const result = leaveOutExcess(
    { buckets: [...buckets.values()], failures: [], lookups: [] },
    { maxBucketsPerConnection: 100, maxParameterQueryResults: 100, overLimit: 'stream', ...limits },
  );
  return {
    kept: result.buckets
      .map(({ bucket, reasons }) => `${bucket}: ${reasons.map(({ stream }) => stream).join(' ')}`)
      .join(', '),
    refused: result.refusals
      .map(({ reason, buckets: count, limit, most }) => `${reason.stream}: ${count} over ${most} ${limit}`)
      .join(', '),
  };
}

describe('a client with more buckets than the limit', () => {
  const few = { maxBucketsPerConnection: 3 };

  test.each<[string, string, string, string]>([
    ['keeps all buckets if they just fit', 'a: x, b: y z', 'x: a, y: b, z: b', ''],
    ['loses the stream with the most buckets', 'a: x, b: p q r', 'x: a', 'b: 3 over 3 buckets'],
    ['loses the same stream in another order of streams', 'b: p q r, a: x', 'x: a', 'b: 3 over 3 buckets'],
    ['loses its only stream if that alone is over the limit', 'a: p q r s', '', 'a: 4 over 3 buckets'],
    ['keeps the smaller streams', 'a: x, b: y z, c: p q r', 'x: a, y: b, z: b', 'c: 3 over 3 buckets'],
    ['keeps the first of two equal streams', 'a: x y, b: p q', 'x: a, y: a', 'b: 2 over 3 buckets'],
    [
      'counts a shared bucket once',
      'a: x y, b: x y z, c: p q r s',
      'x: a b, y: a b, z: b',
      'c: 4 over 3 buckets',
    ],
    ['keeps a shared bucket without the refused stream', 'a: x, b: x p q r', 'x: a', 'b: 4 over 3 buckets'],
    [
      'loses several streams',
      'a: x, b: p q r, c: s t u v',
      'x: a',
      'b: 3 over 3 buckets, c: 4 over 3 buckets',
    ],
  ])('%s', (_, drawing, kept, refused) => {
    expect(leaveOut(drawing, few)).toEqual({ kept, refused });
  });
});

describe('a client that looks up more values than the limit', () => {
  const few = { maxParameterQueryResults: 2 };

  test.each<[string, string, string, string]>([
    ['keeps all buckets if they just fit', 'a: x*, b: y* z', 'x: a, y: b, z: b', ''],
    ['loses the stream with the most values', 'a: x*, b: p* q*', 'x: a', 'b: 2 over 2 results'],
    ['keeps buckets that were not looked up', 'a: x* y*, b: p q r', 'x: a, y: a, p: b, q: b, r: b', ''],
    [
      'adds up the values of several streams',
      'a: x*, b: y* p, c: z* q r',
      'x: a, y: b, p: b',
      'c: 3 over 2 results',
    ],
    ['counts a shared bucket once', 'a: x*, b: x* y*, c: p* q* r*', 'x: a b, y: b', 'c: 3 over 2 results'],
    [
      'has room for the streams after a refused one',
      'a: p* q* r*, b: x y z v',
      'x: b, y: b, z: b, v: b',
      'a: 3 over 2 results',
    ],
  ])('%s', (_, drawing, kept, refused) => {
    expect(leaveOut(drawing, few)).toEqual({ kept, refused });
  });

  test('gets the limit of buckets as the reason if it exceeds both limits', () => {
    const both = { maxBucketsPerConnection: 2, maxParameterQueryResults: 2 };
    expect(leaveOut('a: x* y* z*', both).refused).toBe('a: 3 over 2 buckets');
  });
});

test.each<[string, Parameters<typeof sentenceForExcess>[0]]>([
  [
    'This stream would give the client 1,001 buckets, and the limit of one client is 1,000 (max_buckets_per_connection). Nothing',
    { reason: { stream: 's', subscription: 'default' }, buckets: 1001, limit: 'buckets', most: 1000 },
  ],
  [
    'This subscription would give the client 1 bucket, and the limit of one client is 1 (max_parameter_query_results). Together with the other streams, that is too many. Nothing',
    { reason: { stream: 's', subscription: 0 }, buckets: 1, limit: 'results', most: 1 },
  ],
])('%s', (beginning, excess) => {
  expect(sentenceForExcess(excess)).toSatisfy((sentence: string) => sentence.startsWith(beginning));
});
