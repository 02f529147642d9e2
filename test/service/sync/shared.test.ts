/** The parts that connections share: checksums, chunks, turns and news. */
import { describe, expect, test } from 'vitest';
import { openAlarms } from '../../../server/service/ground/clock.ts';
import { toLsn } from '../../../server/service/replication/postgres/lsn.ts';
import type { ChangedParts, Checkpoint, Notice, OpChunk } from '../../../server/service/storage/storage.ts';
import { rememberChecksums } from '../../../server/service/sync/checksums.ts';
import { openChunks } from '../../../server/service/sync/chunks.ts';
import { openConcern } from '../../../server/service/sync/concern.ts';
import { jsonEncoder, nestedJsonEncoder } from '../../../server/service/sync/encode/encoder.ts';
import { openFeed } from '../../../server/service/sync/feed.ts';
import { limitConcurrency } from '../../../server/service/sync/limit.ts';
import { openViewer } from '../../../server/service/sync/view.ts';
import { createManualClock, type ManualClock } from '../../support/service/manualClock.ts';

const changes = (...buckets: readonly string[]): ChangedParts => ({
  buckets: new Set(buckets),
  lookups: new Set(),
});

function fakeFeed() {
  const listeners = new Set<(notice: Notice) => void>();
  return {
    isOutdated: (_: { readonly deployment: number; readonly revision: number }) => false,
    watch: (listener: (notice: Notice) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell: (opId: number, changed?: ChangedParts, more: Partial<Notice> = {}) => {
      const checkpoint = { opId, position: toLsn(BigInt(opId)) };
      for (const listener of listeners)
        listener({ deployment: 1, checkpoint, ...(changed && { changed }), ...more });
    },
  };
}

describe('checksums of buckets', () => {
  function start() {
    const asked: string[] = [];
    const reader = {
      checksums: async (at: number, buckets: readonly string[]) => {
        asked.push(`${at} ${buckets.join()}`);
        return buckets.map((bucket) => ({ bucket, checksum: at, count: 1 }));
      },
    };
    const feed = fakeFeed();
    const clock = createManualClock();
    const checksums = rememberChecksums(() => reader, feed, { clock, lifetime: 60_000 });
    const sums = async (at: number, ...buckets: readonly string[]) =>
      (await checksums.of(1, at, buckets)).map(({ checksum }) => checksum);
    return { feed, clock, asked, sums };
  }

  test('are read once', async () => {
    const { asked, sums } = start();
    await Promise.all([sums(5, 'a', 'b'), sums(5, 'b', 'a')]);
    expect(await sums(6, 'a', 'c')).toEqual([5, 6]);
    expect(asked).toEqual(['5 a,b', '6 c']);
  });

  test('are read again once a bucket has changed', async () => {
    const { feed, sums } = start();
    await sums(5, 'a', 'b');
    feed.tell(7, changes('a'));
    expect(await sums(7, 'a', 'b')).toEqual([7, 5]);
    feed.tell(8);
    expect(await sums(8, 'a', 'b')).toEqual([8, 8]);
  });

  test('of a checkpoint that is no longer the newest are not kept', async () => {
    const { feed, sums } = start();
    feed.tell(7, changes('a'));
    expect(await sums(5, 'a')).toEqual([5]);
    expect(await sums(7, 'a')).toEqual([7]);
  });

  test('of the newest checkpoint are kept', async () => {
    const { feed, asked, sums } = start();
    feed.tell(7, changes('a'));
    await sums(7, 'a');
    expect(await sums(8, 'a')).toEqual([7]);
    expect(asked).toEqual(['7 a']);
  });

  test('that are being read while the bucket changes are not kept', async () => {
    const { feed, sums } = start();
    const early = sums(5, 'a');
    feed.tell(7, changes('a'));
    expect(await sums(7, 'a')).toEqual([7]);
    expect(await early).toEqual([5]);
  });

  test('are read again after their lifetime, since compaction changes counts', async () => {
    const { clock, sums, asked } = start();
    await sums(5, 'a');
    await clock.advance(60_000);
    await sums(5, 'a');
    expect(asked).toHaveLength(2);
  });
});

describe('chunks', () => {
  function start(isShared = true) {
    const asked: string[] = [];
    const feed = fakeFeed();
    const clock = createManualClock();
    const read = async (
      at: number,
      from: readonly { bucket: string; after: number }[],
    ): Promise<OpChunk[]> => {
      const [{ bucket, after } = { bucket: '', after: 0 }] = from;
      asked.push(`${bucket} ${after}`);
      const nextAfter = Math.min(after + 10, at);
      return [{ bucket, after, nextAfter, hasMore: nextAfter < at, count: 1, texts: [`"${at}"`] }];
    };
    const chunks = openChunks(() => ({ read }), feed, { clock, isShared: () => isShared });
    const textOf = async (at: number, after: number, encoder = jsonEncoder) => {
      const [chunk] = await chunks.read({ deployment: 1, at, from: [{ bucket: 'a', after }], encoder });
      return Buffer.from(chunk?.bytes ?? []).toString();
    };
    return { feed, clock, asked, textOf };
  }

  test('that were read for one client are sent to others', async () => {
    const { asked, textOf } = start();
    expect(await textOf(15, 0)).toBe(await textOf(15, 0));
    expect(await textOf(15, 10)).toBe(await textOf(15, 10));
    expect(asked).toEqual(['a 0', 'a 10']);
  });

  test('are shared by checkpoints, except for the end of a bucket', async () => {
    const { asked, textOf } = start();
    await textOf(15, 0);
    await textOf(15, 10);
    await textOf(18, 0);
    expect(await textOf(18, 10)).toContain('18');
    expect(asked).toEqual(['a 0', 'a 10', 'a 10']);
  });

  test('of another encoding are read separately', async () => {
    const { asked, textOf } = start();
    await textOf(15, 0);
    await textOf(15, 0, { ...nestedJsonEncoder, data: jsonEncoder.data });
    expect(asked).toHaveLength(2);
  });

  test('are not kept for a single client, for long, or after unknown changes', async () => {
    const alone = start(false);
    await alone.textOf(15, 0);
    await alone.textOf(15, 0);
    expect(alone.asked).toHaveLength(2);
    const { feed, clock, asked, textOf } = start();
    await textOf(15, 0);
    await clock.advance(5_000);
    await textOf(15, 0);
    expect(asked).toHaveLength(2);
    feed.tell(20);
    await textOf(15, 0);
    expect(asked).toHaveLength(3);
  });

  test('are dropped after their lifetime, each time that some were kept', async () => {
    const { clock, textOf } = start();
    for (let round = 0; round < 2; round += 1) {
      await textOf(15, 0);
      expect(clock.sleeping()).toBe(1);
      await clock.advance(5_000);
      expect(clock.sleeping()).toBe(0);
    }
  });
});

describe('turns', () => {
  const waitingBy = (clock: ManualClock) => ({ clock, alarms: openAlarms(clock) });

  test('are given in order, and only a limited number at once', async () => {
    const turn = limitConcurrency(1, 1000, waitingBy(createManualClock()));
    const order: string[] = [];
    let release = (): void => {};
    const first = turn(async () => {
      order.push('first');
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const others = [turn(async () => order.push('second')), turn(async () => order.push('third'))];
    await Promise.resolve();
    expect(order).toEqual(['first']);
    release();
    await Promise.all([first, ...others]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  test('are not awaited forever, and a failure releases the turn', async () => {
    const clock = createManualClock();
    const turn = limitConcurrency(1, 30_000, waitingBy(clock));
    let fail = (_: Error): void => {};
    const first = turn(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    const second = turn(async () => 'never').catch(({ details }) => details);
    await clock.advance(30_000);
    expect(await second).toMatch(/over 30 s.*max_data_fetch_concurrency/);
    fail(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    expect(await turn(async () => 'next')).toBe('next');
  });

  test('need one timer for all waiting calls', async () => {
    const clock = createManualClock();
    const turn = limitConcurrency(1, 30_000, waitingBy(clock));
    let release = (): void => {};
    const first = turn(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    const others = Array.from({ length: 100 }, (_, n) => turn(async () => n));
    expect(clock.sleeping()).toBe(1);
    release();
    await first;
    expect(await Promise.all(others)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });
});

describe('news', () => {
  function start() {
    const feed = fakeFeed();
    let tellKey = (): void => {};
    const writeCheckpoints = {
      watch: (_: string, listener: () => void) => {
        tellKey = listener;
        return () => {};
      },
    };
    let switched = false;
    const concern = openConcern(feed, writeCheckpoints, {
      served: { deployment: 1, revision: 3 },
      writeCheckpointKey: 'u',
      onSwitched: () => {
        switched = true;
      },
    });
    concern.follow({ buckets: new Map([['a', 1]]), lookups: new Set(['l']) });
    return { feed, concern, tellKey: () => tellKey(), wasSwitched: () => switched };
  }
  const never = new AbortController().signal;

  test('are only of the buckets and lookups of the client', () => {
    const { feed, concern } = start();
    feed.tell(5, changes('b'));
    expect(concern.hasNews).toBe(false);
    feed.tell(6, changes('b', 'a'));
    feed.tell(7, { buckets: new Set(), lookups: new Set(['l', 'm']) });
    expect(concern.take()).toEqual({ buckets: new Set(['a']), lookups: true, writeCheckpoint: false });
  });

  test('are of everything when the changes are not known', () => {
    const { feed, concern } = start();
    feed.tell(5);
    expect(concern.take()).toEqual({ buckets: 'all', lookups: true, writeCheckpoint: true });
  });

  test('that arrive before the buckets of the client are known are considered afterwards', () => {
    const { feed, concern } = start();
    concern.take();
    feed.tell(5, changes('new'));
    feed.tell(6, changes('other'));
    concern.follow({ buckets: new Map([['new', 1]]), lookups: new Set() });
    expect(concern.take()).toMatchObject({ buckets: new Set(['new']), lookups: false });
  });

  test('are of everything if too many arrive before that', () => {
    const { feed, concern } = start();
    concern.take();
    for (let i = 0; i < 200; i += 1) feed.tell(i, changes('x'));
    concern.follow({ buckets: new Map(), lookups: new Set() });
    expect(concern.take().buckets).toBe('all');
  });

  test('wake waiting clients; other notices wake only clients that wait for any notice', async () => {
    const { feed, concern, tellKey } = start();
    let woken = 0;
    void concern.wait('news', never).then(() => {
      woken += 1;
    });
    feed.tell(5, changes('b'));
    await Promise.resolve();
    expect(woken).toBe(0);
    tellKey();
    await expect.poll(() => woken).toBe(1);
    concern.take();
    concern.follow({ buckets: new Map(), lookups: new Set() });
    const any = concern.wait('any notice', never);
    feed.tell(6, changes('b'));
    await any;
  });

  test('are no longer awaited after the end', async () => {
    const { concern } = start();
    const end = new AbortController();
    const waiting = concern.wait('news', end.signal);
    end.abort();
    await waiting;
    concern.stop();
  });

  test('of another deployment end the stream only when that deployment has become active', () => {
    const { feed, concern, wasSwitched } = start();
    feed.tell(5, undefined, { deployment: 2 });
    expect([wasSwitched(), concern.hasNews]).toEqual([false, false]);
    feed.tell(6, undefined, { deployment: 2, activated: { revision: 0 } });
    expect(wasSwitched()).toBe(true);
  });

  test('of the same deployment end the stream only when it serves a newer config', () => {
    const { feed, concern, wasSwitched } = start();
    feed.tell(5, undefined, { activated: { revision: 3 } });
    feed.tell(6, undefined, { activated: { revision: 2 } });
    expect([wasSwitched(), concern.hasNews]).toEqual([false, true]);
    feed.tell(7, undefined, { activated: { revision: 4 } });
    expect(wasSwitched()).toBe(true);
  });
});

test('a stream also ends if its deployment was replaced before the stream was watched', () => {
  let switches = 0;
  for (const activated of [undefined, [1, 2], [1, 3], [1, 4], [2, 0]] as const) {
    let tell = (_: Notice): void => {};
    const watched = openFeed({
      reader: () => {
        throw new Error('nothing is read');
      },
      watch: (listener) => {
        tell = listener;
        return () => {};
      },
    });
    if (activated !== undefined) {
      const [deployment, revision] = activated;
      tell({ deployment, checkpoint: { opId: 1, position: toLsn(1n) }, activated: { revision } });
    }
    openConcern(
      watched,
      { watch: () => () => {} },
      {
        served: { deployment: 1, revision: 3 },
        writeCheckpointKey: 'u',
        onSwitched: () => {
          switches += 1;
        },
      },
    );
  }
  expect(switches).toBe(2);
});

describe('views', () => {
  test('never return to a lower write checkpoint, and ask for one only when there may be a higher one', async () => {
    const reached = [5n, undefined, 3n, 8n];
    const asked: number[] = [];
    const viewer = openViewer(
      {
        deployment: 1,
        revision: 0,
        plans: [],
        evaluator: {
          // biome-ignore lint/correctness/useYield: it needs no lookups
          request: function* () {
            return { buckets: [], failures: [], lookups: [] };
          },
        },
      },
      { claims: empty, connection: empty, subscriptions: [], includeDefaults: true },
      'u',
      {
        reader: { lookups: async () => new Map() },
        checksums: { of: async () => [] },
        writeCheckpoints: { reached: async () => reached[asked.push(1) - 1] },
        limits: { maxBucketsPerConnection: 1, maxParameterQueryResults: 1, overLimit: 'stream' },
      },
    );
    const seen: (bigint | undefined)[] = [];
    for (const writeCheckpoint of [false, false, true, true, true]) {
      const news = { lookups: false, buckets: new Set<string>(), writeCheckpoint };
      const { view } = await viewer.look({ opId: 1, position: toLsn(1n) }, news);
      seen.push(view.writeCheckpoint);
    }
    expect(seen).toEqual([5n, 5n, 5n, 5n, 8n]);
    expect(asked).toHaveLength(4);
  });
});

const empty = { text: '{}', json: {} };

describe('the newest checkpoint', () => {
  const at = (position: number) => ({ opId: position, position: toLsn(BigInt(position)) });
  function open() {
    let tell = (_: Notice): void => {};
    let answer = (_: Checkpoint | undefined): void => {};
    const feed = openFeed({
      watch: (listener) => {
        tell = listener;
        return () => {};
      },
      reader: () =>
        ({
          checkpoint: () =>
            new Promise((resolve) => {
              answer = resolve;
            }),
        }) as never,
    });
    return {
      feed,
      tell: (notice: Notice) => tell(notice),
      answer: (stored: Checkpoint | undefined) => answer(stored),
    };
  }

  test('is the one from a notice, even if the storage is still being asked', async () => {
    const { feed, tell, answer } = open();
    const newest = feed.newest(1);
    tell({ deployment: 1, checkpoint: at(9) });
    answer(undefined);
    expect(await newest).toEqual(at(9));
    expect((await feed.newest(1))?.opId).toBe(9);
  });

  test('is the one that was read, even if the deployment is reported as active later', async () => {
    const { feed, tell, answer } = open();
    const newest = feed.newest(2);
    answer(at(9));
    expect(await newest).toEqual(at(9));
    tell({ deployment: 2, checkpoint: at(7), activated: { revision: 0 } });
    expect(await feed.newest(2)).toEqual(at(9));
    tell({ deployment: 2, checkpoint: at(10) });
    expect(await feed.newest(2)).toEqual(at(10));
  });
});
