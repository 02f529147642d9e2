/** A client that is served alone: which lines it gets, and in how many writes. */
import { expect, test } from 'vitest';
import type { Block } from '../../../server/service/http/block.ts';
import { toLsn } from '../../../server/service/replication/postgres/lsn.ts';
import { goAlone, type LoneClient, type LoneParts } from '../../../server/service/sync/cohorts/alone.ts';
import { jsonEncoder } from '../../../server/service/sync/encode/encoder.ts';
import type { View } from '../../../server/service/sync/protocol.ts';

const entry = { bucket: 'a', checksum: 1, count: 1, priority: 3, subscriptions: [] } as const;
const view: View = { opId: 1, writeCheckpoint: undefined, buckets: new Map([['a', entry]]), streams: [] };
const given = { buckets: [entry], streams: [], refusals: [], lookups: new Set<string>() };

/**
 * Serves a client with these positions after bucket `a` has changed. Returns the names of the sent lines, grouped by write, and
 * the positions from which operations are read.
 */
async function follow(positions: ReadonlyMap<string, number>) {
  const blocks: Block[] = [];
  const reads: object[] = [];
  const client = {
    served: { deployment: 1, revision: 0 },
    sync: { subscriptions: [] },
    encoder: jsonEncoder,
    sink: { send: (block: Block) => void blocks.push(block) },
    onSession: () => {},
    onRefusals: () => {},
    onLevel: () => {},
  } as unknown as LoneClient;
  const parts = {
    world: { clock: { now: () => 0, steady: () => 0, sleep: async () => {} } },
    readerOf: () => ({}),
    feed: {
      watch: () => () => {},
      isOutdated: () => false,
      newest: async () => ({ opId: 2, position: toLsn(2n) }),
    },
    writeCheckpoints: { watch: () => () => {} },
    checksums: { of: async () => [{ bucket: 'a', checksum: 2, count: 2 }] },
    chunks: {
      read: async ({ at, from }: { at: number; from: readonly object[] }) => {
        reads.push(...from.map((position) => ({ at, ...position })));
        return [{ bucket: 'a', nextAfter: 2, hasMore: false, count: 1, bytes: Buffer.from('{"data":{}}\n') }];
      },
    },
    readTurn: (run: () => unknown) => run(),
    clients: { size: 1 },
    metrics: { add: () => {} },
  } as unknown as LoneParts;
  const told = { view, positions, unfinished: [], open: false, notBefore: 0 };
  const news = { lookups: false, buckets: new Set(['a']), writeCheckpoint: false };
  const from = { session: { kind: 'waiting', told }, given, view, news } as const;
  expect(await goAlone(client, from, new AbortController().signal, parts)).toBe('level');
  const names = blocks.map(({ lines }) => lines.map((line) => Object.keys(JSON.parse(String(line)))[0]));
  return { names, reads };
}

test('a difference, its operations and its completion are sent in one write', async () => {
  const { names } = await follow(new Map([['a', 1]]));
  expect(names).toEqual([['checkpoint_diff', 'data', 'checkpoint_complete']]);
});

test.each([
  ['after the position of the client', new Map([['a', 1]]), 1],
  ['from its beginning if the client has no part of it', new Map(), 0],
])('a changed bucket is read %s', async (_, positions, after) => {
  expect((await follow(positions)).reads).toEqual([{ at: 2, bucket: 'a', after }]);
});
