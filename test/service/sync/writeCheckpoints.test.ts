import { describe, expect, test } from 'vitest';
import type { LogPosition } from '../../../server/service/ground/logPosition.ts';
import { toLsn } from '../../../server/service/replication/postgres/lsn.ts';
import type {
  Notice,
  StoredCheckpoint,
  WriteCheckpointStore,
} from '../../../server/service/storage/storage.ts';
import { openWriteCheckpointFeed } from '../../../server/service/sync/writeCheckpoints.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const positionAt = (position: number): LogPosition => toLsn(BigInt(position));

/** Opens a feed over a storage to which other processes also write. The storage reports their numbers when it is asked. */
function rig(more: Partial<WriteCheckpointStore> = {}) {
  const clock = createManualClock();
  const stored: StoredCheckpoint[] = [];
  const reads: (readonly string[])[] = [];
  let publish = (_: Notice): void => {};
  let awaits = (_id: string, _lsn: LogPosition): void => {};
  let isFirst = true;
  const feed = openWriteCheckpointFeed({
    store: {
      create: async () => undefined,
      request: async (_, id) => ({ id, needsMark: false }),
      reached: async () => undefined,
      reachedAmong: async (ids) => {
        reads.push(ids);
        return new Map();
      },
      idOf: (key) => `id of ${key}`,
      news: async () => {
        if (!isFirst) return stored.splice(0);
        isFirst = false;
        return undefined;
      },
      watchAwaited: (listener) => {
        awaits = listener;
        return () => {};
      },
      ...more,
    },
    source: () => Promise.reject(new Error('Not used')),
    feed: {
      watch: (listener) => {
        publish = listener;
        return () => {};
      },
    },
    clock,
  });
  const told: string[] = [];
  const audience = feed.audience<{ readonly name: string; readonly known?: bigint }>({
    tell: ({ name }) => told.push(name),
    known: ({ known }) => known,
  });
  for (const name of ['a', 'b']) audience.add(name, { name, known: 5n });
  return {
    told: () => told.splice(0),
    reads,
    store: (key: string, number: bigint, position: number) =>
      stored.push({ id: `id of ${key}`, number, position: positionAt(position) }),
    await: (key: string, position: number) => awaits(`id of ${key}`, positionAt(position)),
    reach: (position: number) =>
      publish({ deployment: 1, checkpoint: { opId: position, position: positionAt(position) } }),
    later: (ms = 1_000) => clock.advance(ms),
  };
}

describe('numbers that other processes have stored', () => {
  test('reach their clients a second after a change, and no other client is looked up', async () => {
    const { told, reads, store, reach, later } = rig();
    reach(10);
    await later();
    expect(reads).toEqual([['id of a', 'id of b']]);
    store('a', 6n, 11);
    store('nobody here', 9n, 11);
    reach(12);
    await later();
    expect(told()).toEqual(['a']);
    expect(reads).toHaveLength(1);
  });

  test('reach their clients at the exact position', async () => {
    const { told, store, reach, later } = rig();
    reach(10);
    await later();
    store('a', 6n, 12);
    reach(12);
    await later();
    expect(told()).toEqual(['a']);
    reach(13);
    expect(told()).toEqual([]);
  });

  test('are sent once when the position that they wait for is reached', async () => {
    const { told, store, reach, later } = rig();
    reach(10);
    await later();
    store('b', 6n, 14);
    reach(12);
    await later();
    reach(14);
    expect(told()).toEqual(['b']);
    reach(15);
    expect(told()).toEqual([]);
  });

  test('are not sent again to clients that know them', async () => {
    const { told, store, reach, later } = rig();
    reach(10);
    await later();
    store('a', 5n, 11);
    reach(12);
    await later();
    expect(told()).toEqual([]);
  });

  test('are sent when the position that they wait for is reached', async () => {
    const { told, store, reach, later } = rig();
    reach(10);
    await later();
    store('b', 6n, 14);
    reach(12);
    await later();
    expect(told()).toEqual([]);
    reach(13);
    expect(told()).toEqual([]);
    reach(14);
    expect(told()).toEqual(['b']);
  });

  test('are all looked up again from time to time, because a process of a former version does not report all of them', async () => {
    const { reads, reach, later } = rig();
    for (let second = 0; second <= 31; second += 1) {
      reach(10 + second);
      await later();
    }
    expect(reads).toHaveLength(2);
  });

  test('wake all clients if the storage does not answer, so that each of them notices', async () => {
    const { told, reach, later } = rig({
      news: () => Promise.reject(new Error('gone')),
      reachedAmong: () => Promise.reject(new Error('gone')),
    });
    reach(10);
    await later();
    expect(told()).toEqual(['a', 'b']);
  });
});

describe('a number that was requested too early', () => {
  test('is sent when its position is reached', () => {
    const { told, await: awaitNumber, reach } = rig();
    reach(10);
    awaitNumber('a', 12);
    reach(11);
    expect(told()).toEqual([]);
    reach(12);
    expect(told()).toEqual(['a']);
  });

  test('is looked up again every second if only another deployment has reached its position', async () => {
    const { told, await: awaitNumber, reach, later } = rig();
    reach(12);
    awaitNumber('a', 12);
    expect(told()).toEqual([]);
    await later();
    expect(told()).toEqual(['a']);
    awaitNumber('a', 12);
    await later();
    expect(told()).toEqual(['a']);
    await later();
    expect(told()).toEqual([]);
  });
});
