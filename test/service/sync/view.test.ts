import { expect, test } from 'vitest';
import type { GivenBucket } from '../../../server/engine/plan/evaluate/requests.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import { toLsn } from '../../../server/service/replication/postgres/lsn.ts';
import { diffOf, openViewer } from '../../../server/service/sync/view.ts';

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
