/** A client that is served alone: which lines it gets, and in how many writes. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Block } from '../../../../server/service/http/block.ts';
import { toLsn } from '../../../../server/service/replication/postgres/lsn.ts';
import type { Notice } from '../../../../server/service/storage/storage.ts';
import { goAlone, type LoneClient, type LoneParts } from '../../../../server/service/sync/cohorts/alone.ts';
import type { Leaving } from '../../../../server/service/sync/cohorts/seats.ts';
import { jsonEncoder } from '../../../../server/service/sync/encode/encoder.ts';
import type { Excess } from '../../../../server/service/sync/overLimit.ts';
import type { View } from '../../../../server/service/sync/protocol.ts';
import {
  type Level,
  type SentChunk,
  type SyncSession,
  startSession,
} from '../../../../server/service/sync/session.ts';

const entry = { bucket: 'a', checksum: 1, count: 1, priority: 3, subscriptions: [] } as const;
const view: View = { opId: 1, writeCheckpoint: undefined, buckets: new Map([['a', entry]]), streams: [] };
const given = { buckets: [entry], streams: [], refusals: [], lookups: new Set<string>() };

interface Situation {
  readonly from?: Partial<Leaving>;
  readonly chunks?: readonly Partial<SentChunk & { readonly text: string }>[];
  readonly newest?: LoneParts['feed']['newest'];
  readonly send?: () => Promise<void> | undefined;
  readonly refusals?: readonly Excess[];
}

const told = { view, positions: new Map([['a', 1]]), unfinished: [], open: false, notBefore: 0 };
const news = { lookups: false, buckets: new Set(['a']), writeCheckpoint: false };
/** A client that leaves a cohort after its bucket has changed. */
const leaving: Leaving = { session: { kind: 'waiting', told }, given, view, news };

/** Serves a client. Returns its blocks and all reads for it; both lists grow while it is served. */
function serve({
  from = leaving as Partial<Leaving>,
  chunks = [{}],
  newest = async () => ({ opId: 2, position: toLsn(2n) }),
  send = () => undefined,
}: Situation = {}) {
  const listeners = new Set<(notice: Notice) => void>();
  const told = {
    blocks: [] as Block[],
    reads: [] as object[],
    seen: [] as unknown[],
    sessions: [] as string[],
    level: [] as unknown[],
    refusals: [] as unknown[],
    counts: new Map<string, number>(),
  };
  const controller = new AbortController();
  const client = {
    served: {
      deployment: 1,
      revision: 0,
      plans: [],
      evaluator: {
        // biome-ignore lint/correctness/useYield: this evaluation asks for no lookup.
        *request() {
          return { buckets: [{ ...entry, reasons: [], lookedUp: false }], failures: [], lookups: ['l[1]'] };
        },
      },
    },
    sync: { subscriptions: [] },
    encoder: jsonEncoder,
    sink: {
      send: (block: Block) => {
        told.blocks.push(block);
        return send();
      },
    },
    onSession: ({ kind }: SyncSession) => told.sessions.push(kind),
    onRefusals: (refusals: unknown) => told.refusals.push(refusals),
    onLevel: (session: Level, { lookups }: { lookups: ReadonlySet<string> }) =>
      told.level.push([session.told.view.opId, ...lookups]),
  } as unknown as LoneClient;
  const parts = {
    world: { clock: { now: () => 0, steady: () => 0, sleep: async () => {} } },
    readerOf: () => ({}),
    feed: {
      watch: (listener: (notice: Notice) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      isOutdated: () => false,
      newest: async (deployment: number, seen: number) => {
        told.seen.push(seen);
        return newest(deployment, seen);
      },
    },
    writeCheckpoints: { watch: () => () => {}, reached: async () => undefined },
    checksums: { of: async () => [{ bucket: 'a', checksum: 2, count: 2 }] },
    chunks: {
      read: async ({ at, from }: { at: number; from: readonly object[] }) => {
        told.reads.push(...from.map((position) => ({ at, ...position })));
        return chunks.map(({ text = 'data', ...chunk }) => ({
          bucket: 'a',
          nextAfter: 2,
          hasMore: false,
          count: 1,
          ...chunk,
          bytes: Buffer.from(`{"${text}":{}}\n`),
        }));
      },
    },
    readTurn: (run: () => unknown) => run(),
    clients: { size: 1 },
    metrics: { add: (name: string, by: number) => told.counts.set(name, (told.counts.get(name) ?? 0) + by) },
    limits: { maxBucketsPerConnection: 10, maxParameterQueryResults: 10, overLimit: 'stream' },
  } as unknown as LoneParts;
  return {
    ...told,
    end: goAlone(client, from as Leaving, controller.signal, parts),
    names: () =>
      told.blocks.map(({ lines }) => lines.map((line) => Object.keys(JSON.parse(String(line)))[0])),
    notice: (notice: Partial<Notice>) => {
      for (const listener of listeners)
        listener({ deployment: 1, checkpoint: { opId: 2, position: toLsn(2n) }, ...notice });
    },
    abort: () => controller.abort(),
    signal: controller.signal,
    listeners,
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a difference, its operations and its completion are sent in one write', async () => {
  const { names, end, level, counts, blocks, sessions, listeners } = serve();
  expect(await end).toBe('level');
  expect(names()).toEqual([['checkpoint_diff', 'data', 'checkpoint_complete']]);
  expect(level).toEqual([[2]]);
  expect(sessions).toEqual(['resolving', 'fetching', 'waiting']);
  expect(Object.fromEntries(counts)).toEqual({
    powersync_operations_synced_total: 1,
    powersync_data_synced_bytes_total: blocks[0]?.size,
  });
  expect(listeners.size).toBe(0);
});

test('the first checkpoint is sent before its operations are read, and is not older than one the client has seen', async () => {
  const session = startSession(new Map(Object.entries({ a: 1, gone: 7, other: 3 })));
  const { names, end, level, seen, refusals, reads } = serve({ from: { session } });
  expect(await end).toBe('level');
  expect(names()).toEqual([['checkpoint'], ['data', 'checkpoint_complete']]);
  expect(seen).toEqual([7]);
  expect(reads).toEqual([{ at: 2, bucket: 'a', after: 1 }]);
  expect(level).toEqual([[2, 'l[1]']]);
  expect(refusals).toEqual([[]]);
});

test('a client with a checkpoint on this connection may get any newer one', async () => {
  const { end, seen } = serve();
  await end;
  expect(seen).toEqual([0]);
});

test('operations are sent in the order in which they were read', async () => {
  const { names, end } = serve({ chunks: [{ text: 'one', hasMore: true }, { text: 'two' }] });
  await end;
  expect(names()).toEqual([['checkpoint_diff', 'one', 'two', 'checkpoint_complete']]);
});

test.each([
  ['after the position of the client', new Map([['a', 1]]), 1],
  ['from its beginning if the client has no part of it', new Map(), 0],
])('a changed bucket is read %s', async (_, positions, after) => {
  const from: Leaving = { ...leaving, session: { kind: 'waiting', told: { ...told, positions } } };
  const { end, reads } = serve({ from });
  await end;
  expect(reads).toEqual([{ at: 2, bucket: 'a', after }]);
});

test('a client of a deployment without a checkpoint is refused', async () => {
  const { end, listeners } = serve({ newest: async () => undefined });
  await expect(end).rejects.toMatchObject({ code: 'SVC_S2302' });
  expect(listeners.size).toBe(0);
});

test('nothing is sent to a client before it has read its last output from a cohort', async () => {
  let take = (): void => {};
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  const { end, blocks } = serve({ from: { ...leaving, taken } });
  await settled();
  expect(blocks).toEqual([]);
  take();
  expect(await end).toBe('level');
  expect(blocks).toHaveLength(1);
});

test('nothing more is read for a client that does not read, and its stream can end', async () => {
  const session = startSession(new Map());
  const { end, names, reads, abort, listeners } = serve({
    from: { session },
    send: () => new Promise(() => {}),
  });
  await settled();
  expect(names()).toEqual([['checkpoint']]);
  expect(reads).toEqual([]);
  abort();
  expect(await end).toBe('over');
  expect(names()).toHaveLength(1);
  expect(listeners.size).toBe(0);
});

test('no listener is left at the signal after a client has read its output', async () => {
  const { end, signal } = serve({ send: async () => {} });
  await end;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([
  ['that waits', leaving],
  ['at its start', { session: startSession(new Map()) }],
])('a client %s gets nothing after the end of its stream', async (_, from) => {
  const { end, blocks, level, abort } = serve({ from });
  abort();
  expect(await end).toBe('over');
  expect([blocks, level]).toEqual([[], []]);
});

test('a failure of the connection ends the work', async () => {
  const failure = new Error('The connection is gone.');
  await expect(serve({ send: () => Promise.reject(failure) }).end).rejects.toBe(failure);
});

describe('a client that waits without news', () => {
  const quiet = { ...leaving, news: { ...news, buckets: new Set<string>() } };
  const other = { changed: { buckets: new Set(['b']), lookups: new Set<string>() } };

  test('is level at once if its checkpoint is complete', async () => {
    const { end, blocks } = serve({ from: quiet });
    expect(await end).toBe('level');
    expect(blocks).toEqual([]);
  });

  test('looks at every checkpoint while its own is not complete', async () => {
    const session: SyncSession = { kind: 'waiting', told: { ...told, open: true, notBefore: 2 } };
    const { end, names, notice, level } = serve({ from: { ...quiet, session } });
    await settled();
    expect(names()).toEqual([]);
    notice(other);
    expect(await end).toBe('level');
    expect(names()).toEqual([['checkpoint_diff', 'checkpoint_complete']]);
    expect(level).toEqual([[2]]);
  });
});
