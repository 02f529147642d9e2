import { describe, expect, test } from 'vitest';
import type { GivenBucket } from '../../../server/engine/plan/evaluate/requests.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import { toLsn } from '../../../server/service/replication/postgres/lsn.ts';
import type { News } from '../../../server/service/sync/concern.ts';
import type { BucketEntry, View } from '../../../server/service/sync/protocol.ts';
import { diffOf, openViewer, renewView } from '../../../server/service/sync/view.ts';

const byDefault = [{ stream: 's', subscription: 'default' as const }];
const asked = [{ stream: 's', subscription: 0 }];

function given(bucket: string, more: Partial<GivenBucket> = {}): GivenBucket {
  return { bucket, priority: 3, reasons: byDefault, lookedUp: true, ...more };
}

/** Returns the updated, removed and unchanged buckets in the view of a client after its lookups have changed. */
async function afterNews(before: readonly GivenBucket[], after: readonly GivenBucket[]) {
  const results = [before, after].values();
  const served = {
    deployment: 1,
    revision: 1,
    plans: [{ name: 's', isDefault: true }],
    evaluator: {
      // biome-ignore lint/correctness/useYield: this evaluation asks for no lookup.
      *request() {
        return { buckets: results.next().value ?? [], failures: [], lookups: [] };
      },
    },
  };
  const request = {
    claims: requestDocument('{}'),
    connection: requestDocument('{}'),
    subscriptions: [],
    includeDefaults: true,
  };
  const viewer = openViewer(served, request, 'key', {
    reader: { lookups: async () => new Map() },
    checksums: {
      of: async (_deployment, _at, buckets) => buckets.map((bucket) => ({ bucket, checksum: 7, count: 1 })),
    },
    writeCheckpoints: { reached: async () => undefined },
    limits: { maxBucketsPerConnection: 10, maxParameterQueryResults: 10, overLimit: 'stream' },
  });
  const news = { buckets: new Set<string>(), lookups: true, writeCheckpoint: false };
  const look = async (opId: number) =>
    (await viewer.look({ opId, position: toLsn(BigInt(opId)) }, news)).view;
  const [first, second] = [await look(1), await look(2)];
  const { updated, removed } = diffOf(first, second);
  for (const { checksum, count } of second.buckets.values()) expect([checksum, count]).toEqual([7, 1]);
  const same = [...second.buckets.values()].filter((entry) => first.buckets.get(entry.bucket) === entry);
  return {
    updated: updated.map(({ bucket }) => bucket),
    removed,
    same: same.map(({ bucket }) => bucket),
  };
}

test('a bucket with the same priority and reasons keeps its entry', async () => {
  const buckets = () => [given('a', { reasons: [...byDefault] }), given('b', { reasons: [...byDefault] })];
  expect(await afterNews(buckets(), buckets())).toEqual({ updated: [], removed: [], same: ['a', 'b'] });
});

test.each<[string, Partial<GivenBucket>]>([
  ['another priority', { priority: 1 }],
  ['another reason', { reasons: asked }],
  ['one more reason', { reasons: [...byDefault, ...asked] }],
])('a bucket with %s is updated, and the others keep their entries', async (_, change) => {
  const before = [given('a'), given('b'), given('c')];
  const after = [given('a'), given('b', change), given('c')];
  expect(await afterNews(before, after)).toEqual({ updated: ['b'], removed: [], same: ['a', 'c'] });
});

test.each<[string, string[], string[], string[]]>([
  ['a bucket is removed', ['a', 'c'], [], ['b']],
  ['a bucket is added', ['a', 'b', 'c', 'd'], ['d'], []],
  ['a bucket replaces another one', ['a', 'c', 'd'], ['d'], ['b']],
  ['all buckets are replaced', ['d', 'e', 'f'], ['d', 'e', 'f'], ['a', 'b', 'c']],
  ['all buckets are removed', [], [], ['a', 'b', 'c']],
])('the view has the right difference if %s', async (_, after, updated, removed) => {
  const told = await afterNews(
    ['a', 'b', 'c'].map((bucket) => given(bucket)),
    after.map((bucket) => given(bucket)),
  );
  expect({ updated: told.updated, removed: told.removed }).toEqual({ updated, removed });
});

describe('a client looks again', () => {
  const nothing: News = { buckets: new Set(), lookups: false, writeCheckpoint: false };

  /** Looks once at buckets a and b, and then with each of the news. Returns the numbers, and the buckets whose sums were read. */
  async function lookWith(...all: readonly [Partial<News>, reached?: bigint][]) {
    let reached: bigint | undefined;
    const asked: string[] = [];
    const numbers: (bigint | undefined)[] = [];
    const served = {
      deployment: 1,
      revision: 1,
      plans: [],
      evaluator: {
        // biome-ignore lint/correctness/useYield: this evaluation asks for no lookup.
        *request() {
          return { buckets: [given('a'), given('b')], failures: [], lookups: [] };
        },
      },
    };
    const documents = { claims: requestDocument('{}'), connection: requestDocument('{}') };
    const request = { ...documents, subscriptions: [], includeDefaults: true };
    const viewer = openViewer(served, request, 'key', {
      reader: { lookups: async () => new Map() },
      checksums: {
        of: async (_deployment, at, buckets) => {
          asked.push(`${at}: ${buckets.join(' ')}`);
          return buckets.map((bucket) => ({ bucket, checksum: at, count: 1 }));
        },
      },
      writeCheckpoints: { reached: async () => reached },
      limits: { maxBucketsPerConnection: 10, maxParameterQueryResults: 10, overLimit: 'stream' },
    });
    for (const [opId, [news, next]] of [[{}], ...all].entries() as Iterable<[number, (typeof all)[number]]>) {
      reached = next;
      const checkpoint = { opId, position: toLsn(BigInt(opId)) };
      numbers.push((await viewer.look(checkpoint, { ...nothing, ...news })).view.writeCheckpoint);
    }
    return { asked, numbers };
  }

  test('only at the sums of buckets that have changed', async () => {
    const some = await lookWith([{ buckets: new Set(['b', 'x']) }], [{}], [{ buckets: 'all' }]);
    expect(some.asked).toEqual(['0: a b', '1: b', '3: a b']);
  });

  test('at its write checkpoint if there is news, and never sees a lower one', async () => {
    const writeCheckpoint = true;
    const { numbers } = await lookWith(
      [{}, 7n],
      [{ writeCheckpoint }, 8n],
      [{ writeCheckpoint }, 6n],
      [{ writeCheckpoint }],
      [{ writeCheckpoint }, 9n],
    );
    expect(numbers).toEqual([undefined, undefined, 8n, 8n, 8n, 9n]);
  });
});

describe('a renewed view', () => {
  const entry = (bucket: string, more: Partial<BucketEntry> = {}): BucketEntry => ({
    bucket,
    checksum: 1,
    count: 1,
    priority: 3,
    subscriptions: [],
    ...more,
  });
  const viewOf = (...entries: readonly BucketEntry[]): View => ({
    opId: 1,
    writeCheckpoint: undefined,
    buckets: new Map(entries.map((each) => [each.bucket, each])),
    streams: [],
  });
  const checkpoint = { opId: 2, position: toLsn(2n) };

  test('differs in the buckets whose sums have changed', async () => {
    const before = viewOf(entry('a'), entry('b'), entry('c'), entry('d'));
    const after = await renewView(before, checkpoint, new Set(['c', 'b', 'a', 'x']), async (at, buckets) => {
      expect([at, buckets]).toEqual([2, ['c', 'b', 'a']]);
      return [
        { bucket: 'c', checksum: 5, count: 1 },
        { bucket: 'b', checksum: 1, count: 2 },
        { bucket: 'a', checksum: 1, count: 1 },
      ];
    });
    expect(after.opId).toBe(2);
    const changed = [entry('c', { checksum: 5 }), entry('b', { count: 2 })];
    expect(diffOf(before, after)).toEqual({ updated: changed, removed: [] });
    // The same in the order of the buckets, because nothing is known about another view.
    const again = { ...before };
    expect(diffOf(again, after)).toEqual({ updated: changed.toReversed(), removed: [] });
  });

  test('of buckets that have not changed reads nothing', async () => {
    const before = viewOf(entry('a'));
    const after = await renewView(before, checkpoint, new Set(['x']), () => expect.unreachable());
    expect(diffOf(before, after)).toEqual({ updated: [], removed: [] });
  });
});
