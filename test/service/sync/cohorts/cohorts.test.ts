/** Clients that wait together in a cohort: the work that they share, and the reasons to leave. */
import { describe, expect, test } from 'vitest';
import type { Block } from '../../../../server/service/http/block.ts';
import { toLsn } from '../../../../server/service/replication/postgres/lsn.ts';
import type { ChangedParts, Notice } from '../../../../server/service/storage/storage.ts';
import { Cohorts } from '../../../../server/service/sync/cohorts/cohorts.ts';
import type { CohortMember, Leaving } from '../../../../server/service/sync/cohorts/seats.ts';
import { jsonEncoder } from '../../../../server/service/sync/encode/encoder.ts';
import type { BucketEntry, View } from '../../../../server/service/sync/protocol.ts';
import {
  isLevel,
  type Level,
  nextOfSession,
  type SyncSession,
  startSession,
} from '../../../../server/service/sync/session.ts';

const served = { deployment: 1, revision: 0 };

/** Returns a session to which a bucket with this checksum was sent completely. */
function levelAt(
  opId: number,
  { checksum = opId, writeCheckpoint, bucket = 'a', map = new Map() }: Partial<LevelOptions> = {},
): Level {
  map.set(bucket, { bucket, checksum, count: 1, priority: 3, subscriptions: [] });
  const view: View = { opId, writeCheckpoint, buckets: map, streams: [] };
  const told = nextOfSession(startSession(new Map()), { kind: 'view', view }).session;
  const chunk = { bucket, nextAfter: checksum, hasMore: false, count: 1 };
  const { session } = nextOfSession(told, { kind: 'batch', chunks: [chunk], newer: false });
  if (!isLevel(session)) throw new Error('It is not level.');
  return session;
}

interface LevelOptions {
  readonly checksum: number;
  readonly writeCheckpoint: bigint;
  readonly bucket: string;
  /** An empty map, which receives the buckets. */
  readonly map: Map<string, BucketEntry>;
}

/** A map that counts the reads of its entries. */
class CountingMap<Key, Value> extends Map<Key, Value> {
  looks = 0;
  override has(key: Key): boolean {
    this.looks += 1;
    return super.has(key);
  }
  override keys() {
    this.looks += 1;
    return super.keys();
  }
}

interface Client extends CohortMember {
  readonly blocks: Block[];
  readonly text: () => string;
  left: Leaving | undefined;
}

function start() {
  const listeners = new Set<(notice: Notice) => void>();
  const numbers = new Map<string, () => void>();
  let newest = 0;
  let looks = 0;
  let reads = 0;
  let failure: Error | undefined;
  let pieces: readonly string[] = [''];
  let pause: () => Promise<void> = async () => {};
  const counts = new Map<string, number>();
  const cohorts = new Cohorts({
    feed: {
      watch: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      newest: async () => ({ opId: newest, position: toLsn(BigInt(newest)) }),
    },
    writeCheckpoints: {
      audience: ({ tell }) => ({
        add: (key, one) => numbers.set(key, () => tell(one)),
        delete: (key) => numbers.delete(key),
      }),
    },
    checksums: {
      of: async (_, at, buckets) => {
        looks += 1;
        return buckets.map((bucket) => ({ bucket, checksum: at, count: 2 }));
      },
    },
    chunks: {
      read: async ({ at, from }) => {
        reads += 1;
        if (failure !== undefined) throw failure;
        const [piece = '', ...rest] = pieces;
        pieces = rest.length === 0 ? [''] : rest;
        return from.map(({ bucket }) => ({
          bucket,
          nextAfter: rest.length === 0 ? at : at - rest.length,
          hasMore: rest.length > 0,
          count: 1,
          bytes: Buffer.from(`{"data":"${bucket} at ${at}${piece}"}\n`),
        }));
      },
    },
    readTurn: (run) => run(),
    clients: { size: 1 },
    metrics: { add: (name, by) => counts.set(name, (counts.get(name) ?? 0) + (by ?? 1)) },
    clock: { now: () => 0, steady: () => 0, sleep: () => pause() },
  });
  const clientAt = (session: Level, options: Partial<ClientOptions> = {}) => {
    const { name = 'u', lookups = [], take = () => undefined } = options;
    const blocks: Block[] = [];
    const client: Client = {
      writeCheckpointKey: name,
      sink: {
        send: (block) => {
          blocks.push(block);
          return take();
        },
      },
      leave: (leaving) => {
        expect(client.left).toBeUndefined();
        client.left = leaving;
      },
      blocks,
      text: () => blocks.map(({ plain }) => Buffer.from(plain.bytes).toString()).join(''),
      left: undefined,
    };
    const names = [...session.told.view.buckets.keys()];
    const buckets = names.map((bucket) => ({ bucket, priority: 3, subscriptions: [] }) as const);
    const given = { buckets, streams: [], refusals: [], lookups: new Set(lookups) };
    const seat = cohorts.join({ served, encoder: jsonEncoder }, client, session, given);
    return { client, quit: () => cohorts.quit(seat) };
  };
  const tell = async (changed: ChangedParts | undefined, more: Partial<Notice> = {}) => {
    newest += 10;
    const checkpoint = { opId: newest, position: toLsn(BigInt(newest)) };
    for (const listener of listeners)
      listener({ deployment: 1, checkpoint, ...(changed && { changed }), ...more });
    // The following steps consist only of promises and turns of the event loop.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    clientAt,
    tell,
    reach: (name: string) => numbers.get(name)?.(),
    isHeard: (name: string) => numbers.has(name),
    readIn: (...some: readonly string[]) => {
      pieces = some;
    },
    /** Makes the cohorts wait after each step, until the returned function is called. */
    waitAfterSteps: () => {
      let go = (): void => {};
      pause = () =>
        new Promise<void>((resolve) => {
          go = resolve;
        });
      return () => go();
    },
    sums: counts,
    fail: (error: Error | undefined) => {
      failure = error;
    },
    counts: () => ({ looks, reads }),
  };
}

interface ClientOptions {
  readonly name: string;
  readonly lookups: readonly string[];
  readonly take: () => Promise<void> | undefined;
}

const changes = (...buckets: readonly string[]): ChangedParts => ({
  buckets: new Set(buckets),
  lookups: new Set(),
});
const lookupsChange = (...lookups: readonly string[]): ChangedParts => ({
  buckets: new Set(),
  lookups: new Set(lookups),
});
const opIdOf = (session: SyncSession | undefined) =>
  session === undefined || session.kind === 'ended' ? undefined : session.told.view?.opId;

describe('clients at the same position', () => {
  test('are sent the same bytes in one piece, which is looked up, read and put together once', async () => {
    const { clientAt, tell, counts } = start();
    const clients = Array.from({ length: 50 }, () => clientAt(levelAt(5)).client);
    await tell(changes('a', 'b'));
    expect(counts()).toEqual({ looks: 1, reads: 1 });
    const [first] = clients;
    expect(first?.text().match(/checkpoint_diff|"data":"a at 10"|checkpoint_complete/g)).toHaveLength(3);
    for (const { blocks, left } of clients) {
      expect(left).toBeUndefined();
      expect(blocks).toEqual([first?.blocks[0]]);
      expect(blocks[0]).toBe(first?.blocks[0]);
    }
  });

  test('are sent nothing when other buckets change', async () => {
    const { clientAt, tell, counts } = start();
    const { client } = clientAt(levelAt(5));
    await tell(changes('b'));
    expect([client.blocks, counts()]).toEqual([[], { looks: 0, reads: 0 }]);
  });

  test('cost nothing when buckets or lookups of others change, however many clients there are', async () => {
    const { clientAt, tell } = start();
    const maps = Array.from({ length: 100 }, () => new CountingMap<string, BucketEntry>());
    const clients = maps.map(
      (map, n) => clientAt(levelAt(5, { bucket: `of ${n}`, map }), { lookups: [`mine ${n}`] }).client,
    );
    for (const map of maps) map.looks = 0;
    await tell(changes('of 7', 'of nobody'));
    await tell(lookupsChange('mine 8', 'of nobody'));
    expect(maps.flatMap(({ looks }, n) => (looks === 0 ? [] : [n]))).toEqual([7, 8]);
    expect(clients.flatMap(({ blocks }, n) => (blocks.length === 0 ? [] : [n]))).toEqual([7]);
    expect(clients.flatMap(({ left }, n) => (left === undefined ? [] : [n]))).toEqual([8]);
  });

  test('are joined if their buckets are the same, whatever their last checkpoints were', async () => {
    const { clientAt, tell, counts } = start();
    clientAt(levelAt(5, { checksum: 3 }));
    clientAt(levelAt(4, { checksum: 3 }));
    await tell(changes('a'));
    expect(counts().looks).toBe(1);
  });

  test('are joined after a step that ends at the same position', async () => {
    const { clientAt, tell, counts } = start();
    const [one, other] = [clientAt(levelAt(5)).client, clientAt(levelAt(6)).client];
    await tell(changes('a'));
    expect(counts().looks).toBe(2);
    await tell(changes('a'));
    expect(counts().looks).toBe(3);
    expect(one.blocks.at(-1)).toBe(other.blocks.at(-1));
  });

  test.each([0, 1])('can still leave alone after they were joined: number %d', async (leaving) => {
    const { clientAt, tell } = start();
    const both = [clientAt(levelAt(5)), clientAt(levelAt(6))];
    await tell(changes('a'));
    both[leaving]?.quit();
    await tell(changes('a'));
    const [gone, other] = leaving === 0 ? both : both.toReversed();
    expect([gone?.client.blocks.length, other?.client.blocks.length]).toEqual([1, 2]);
    expect(gone?.client.left).toEqual({ session: { kind: 'ended' } });
    expect(other?.client.left).toBeUndefined();
  });

  test('get one checkpoint for a burst of changes during the pause after a step', async () => {
    const { clientAt, tell, waitAfterSteps, counts } = start();
    const go = waitAfterSteps();
    const { client } = clientAt(levelAt(5));
    for (let change = 0; change < 4; change += 1) await tell(changes('a'));
    expect(client.blocks).toHaveLength(1);
    go();
    await tell(changes('b'));
    expect(client.blocks).toHaveLength(2);
    expect(counts().looks).toBe(2);
    go();
    await tell(changes('b'));
    expect(client.blocks).toHaveLength(2);
  });

  test('are not joined by a client while they are being sent a checkpoint', async () => {
    const { clientAt, tell, readIn } = start();
    const { client } = clientAt(levelAt(5));
    let late: Client | undefined;
    readIn('x'.repeat(70_000), '');
    const joining = clientAt(levelAt(5), {
      take: () => {
        late ??= clientAt(levelAt(5)).client;
        return undefined;
      },
    });
    await tell(changes('a'));
    expect(client.blocks).toHaveLength(2);
    expect(joining.client.blocks).toHaveLength(2);
    expect(late?.blocks).toEqual([]);
  });

  test('are sent many operations in several writes', async () => {
    const { clientAt, tell, readIn } = start();
    const { client } = clientAt(levelAt(5));
    readIn('X'.repeat(40_000), 'Y'.repeat(40_000), 'Z');
    await tell(changes('a'));
    const written = client.blocks.map(({ plain }) => Buffer.from(plain.bytes).toString());
    expect(written.map((text) => text.match(/checkpoint_diff|[XYZ](?=")|checkpoint_complete/g))).toEqual([
      ['checkpoint_diff', 'X', 'Y'],
      ['Z', 'checkpoint_complete'],
    ]);
  });

  test('are counted: the bytes and the operations of each of them', async () => {
    const { clientAt, tell, sums } = start();
    const clients = [clientAt(levelAt(5)).client, clientAt(levelAt(5)).client];
    await tell(changes('a'));
    expect(Object.fromEntries(sums)).toEqual({
      powersync_data_synced_bytes_total: clients.reduce((sum, { blocks }) => sum + (blocks[0]?.size ?? 0), 0),
      powersync_operations_synced_total: 2,
    });
  });

  test('get their own write checkpoint in each checkpoint', async () => {
    const { clientAt, tell, counts } = start();
    const writers = [undefined, 7n, 8n, 7n].map(
      (writeCheckpoint) => clientAt(levelAt(5, { ...(writeCheckpoint && { writeCheckpoint }) })).client,
    );
    await tell(changes('a'));
    expect(counts().looks).toBe(1);
    expect(writers.map((each) => /"write_checkpoint":"(\d+)"/.exec(each.text())?.[1])).toEqual([
      undefined,
      '7',
      '8',
      '7',
    ]);
    expect(writers[1]?.blocks[0]).toBe(writers[3]?.blocks[0]);
  });
});

describe('a client leaves', () => {
  test('when its lookups change; the others stay', async () => {
    const { clientAt, tell } = start();
    const { client } = clientAt(levelAt(5, { writeCheckpoint: 7n }), { lookups: ['mine'] });
    const { client: other } = clientAt(levelAt(5), { lookups: ['theirs'] });
    await tell(lookupsChange('mine'));
    expect(other.left).toBeUndefined();
    expect(client.left?.news).toEqual({ lookups: true, buckets: new Set(), writeCheckpoint: false });
    expect(client.left?.view?.writeCheckpoint).toBe(7n);
    expect(client.left?.given?.lookups).toEqual(new Set(['mine']));
    await tell(changes('a'));
    expect([client.blocks.length, other.blocks.length]).toEqual([0, 1]);
  });

  test('when its lookups change together with a bucket, and has to notice the bucket itself', async () => {
    const { clientAt, tell } = start();
    const mine = clientAt(levelAt(5), { lookups: ['mine'] }).client;
    const other = clientAt(levelAt(5)).client;
    await tell({ buckets: new Set(['a']), lookups: new Set(['mine']) });
    expect([mine.blocks.length, other.blocks.length]).toEqual([0, 1]);
    expect(mine.left?.news).toEqual({ lookups: true, buckets: new Set(), writeCheckpoint: false });
  });

  test('not when lookups or buckets of the same names change in another deployment', async () => {
    const { clientAt, tell } = start();
    const { client } = clientAt(levelAt(5), { lookups: ['mine'] });
    await tell({ buckets: new Set(['a']), lookups: new Set(['mine']) }, { deployment: 2 });
    expect([client.left, client.blocks]).toEqual([undefined, []]);
  });

  test('when there may be a higher write checkpoint', () => {
    const { clientAt, reach, isHeard } = start();
    const { client } = clientAt(levelAt(5), { name: 'me' });
    const { client: other } = clientAt(levelAt(5), { name: 'somebody' });
    expect(isHeard('me')).toBe(true);
    reach('me');
    expect(isHeard('me')).toBe(false);
    expect(client.left?.news).toMatchObject({ writeCheckpoint: true, lookups: false });
    expect(other.left).toBeUndefined();
  });

  test('when it does not read, at the last position that it was sent and with the changes after it', async () => {
    const { clientAt, tell } = start();
    let takeIt = (): void => {};
    const slow = clientAt(levelAt(5), {
      take: () => new Promise<void>((resolve) => (takeIt = resolve)),
    }).client;
    const { client: quick } = clientAt(levelAt(5));
    await tell(changes('a'));
    expect(slow.left).toBeUndefined();
    await tell(changes('a'));
    expect([slow.blocks.length, quick.blocks.length]).toEqual([1, 2]);
    expect(opIdOf(slow.left?.session)).toBe(10);
    expect(slow.left?.news?.buckets).toEqual(new Set(['a']));
    let isTaken = false;
    void slow.left?.taken?.then(() => {
      isTaken = true;
    });
    takeIt();
    await expect.poll(() => isTaken).toBe(true);
  });

  test('not when it has read meanwhile', async () => {
    const { clientAt, tell } = start();
    const { client } = clientAt(levelAt(5), { take: async () => {} });
    for (let change = 0; change < 3; change += 1) await tell(changes('a'));
    expect([client.left, client.blocks.length]).toEqual([undefined, 3]);
  });

  test('when a step fails, at the position up to which it was sent everything', async () => {
    const { clientAt, tell, fail } = start();
    const clients = [levelAt(5), levelAt(5)].map((level) => clientAt(level).client);
    fail(new Error('the disk'));
    await tell(changes('a'));
    for (const { left, blocks } of clients) {
      expect(blocks).toEqual([]);
      expect(opIdOf(left?.session)).toBe(5);
      expect(left?.news).toEqual({ lookups: true, buckets: 'all', writeCheckpoint: true });
    }
  });

  test('when the changes are not known', async () => {
    const { clientAt, tell } = start();
    const { client } = clientAt(levelAt(5));
    await tell(undefined);
    expect(client.left?.news).toEqual({ lookups: true, buckets: 'all', writeCheckpoint: true });
  });

  test('for good when another deployment is served, or when it disconnects', async () => {
    const { clientAt, tell } = start();
    const { client: gone, quit } = clientAt(levelAt(5));
    const { client } = clientAt(levelAt(5));
    quit();
    quit();
    expect(gone.left).toEqual({ session: { kind: 'ended' } });
    expect(client.left).toBeUndefined();
    await tell(changes('b'), { activated: { revision: 0 } });
    expect(client.left).toBeUndefined();
    await tell(undefined, { deployment: 2 });
    expect(client.left).toBeUndefined();
    await tell(changes('a'), { deployment: 2, activated: { revision: 0 } });
    expect(client.left).toEqual({ session: { kind: 'ended' } });
    expect(gone.blocks).toEqual([]);
  });
});
