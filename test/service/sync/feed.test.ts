import { expect, test } from 'vitest';
import { toLsn } from '../../../server/service/replication/postgres/lsn.ts';
import type { BucketReader, Checkpoint, Notice } from '../../../server/service/storage/storage.ts';
import { openFeed } from '../../../server/service/sync/feed.ts';

const checkpoint = (opId: number): Checkpoint => ({ opId, position: toLsn(BigInt(opId)) });

/** Opens a storage to which other processes also write, so its notices may arrive late or be lost. */
function openStorage() {
  let stored: Checkpoint | undefined = checkpoint(10);
  let questions = 0;
  let tell: (notice: Notice) => void = () => {};
  const feed = openFeed({
    watch: (listener) => {
      tell = listener;
      return () => {};
    },
    reader: () =>
      ({
        checkpoint: async () => {
          questions += 1;
          return stored;
        },
      }) as Partial<BucketReader> as BucketReader,
  });
  return {
    feed,
    publish: (opId: number | undefined) => {
      stored = opId === undefined ? undefined : checkpoint(opId);
    },
    hear: (opId: number, more: Partial<Notice> = {}) =>
      tell({ deployment: 1, checkpoint: checkpoint(opId), ...more }),
    questions: () => questions,
  };
}

test('a client never gets an older checkpoint than its own if the storage has a newer one', async () => {
  const { feed, publish, hear } = openStorage();
  hear(10);
  publish(30);
  expect(await feed.newest(1, 20)).toEqual(checkpoint(30));
  hear(20);
  expect(await feed.newest(1)).toEqual(checkpoint(30));
});

test('a newer checkpoint that is found by asking is announced once, with unknown changes', async () => {
  const { feed, publish, hear } = openStorage();
  const notices: Notice[] = [];
  hear(10);
  feed.watch((notice) => notices.push(notice));
  publish(30);
  await Promise.all([feed.newest(1, 20), feed.newest(1, 20)]);
  expect(notices).toEqual([{ deployment: 1, checkpoint: checkpoint(30) }]);
});

test('the storage is not asked for a checkpoint that is known', async () => {
  const { feed, hear, questions } = openStorage();
  hear(10);
  expect(await feed.newest(1, 10)).toEqual(checkpoint(10));
  expect(questions()).toBe(0);
});

test('a client without operations gets a checkpoint without operations, and the storage is not asked', async () => {
  const { feed, hear, questions } = openStorage();
  hear(0);
  expect(await feed.newest(1)).toEqual(checkpoint(0));
  expect(questions()).toBe(0);
});

test('the later of two checkpoints at one position is the newest', async () => {
  const { feed, hear } = openStorage();
  hear(10);
  const later = { ...checkpoint(10), opId: 12 };
  hear(10, { checkpoint: later });
  expect(await feed.newest(1)).toEqual(later);
});

test('a deployment of which nothing was heard has the checkpoint of the storage, or none', async () => {
  const { feed, publish } = openStorage();
  const notices: Notice[] = [];
  feed.watch((notice) => notices.push(notice));
  expect(await feed.newest(2)).toEqual(checkpoint(10));
  publish(undefined);
  expect(await feed.newest(3)).toBeUndefined();
  expect(notices).toHaveLength(1);
});

test('the checkpoints of other deployments are forgotten when another one becomes active', async () => {
  const { feed, hear, questions } = openStorage();
  hear(10);
  hear(20, { deployment: 2, activated: { revision: 1 } });
  await feed.newest(2);
  expect(questions()).toBe(0);
  await feed.newest(1);
  expect(questions()).toBe(1);
});

test('a revision is outdated as soon as a newer one is active', () => {
  const { feed, hear } = openStorage();
  const outdated = () =>
    [
      [1, 1],
      [2, 2],
      [2, 3],
      [2, 4],
      [3, 1],
    ].map(([deployment = 0, revision = 0]) => feed.isOutdated({ deployment, revision }));
  expect(outdated()).toEqual([false, false, false, false, false]);
  hear(10, { deployment: 2, activated: { revision: 3 } });
  expect(outdated()).toEqual([true, true, false, false, false]);
  hear(11, { deployment: 2 });
  expect(outdated()).toEqual([true, true, false, false, false]);
});

test('a client of a former storage gets the newest existing checkpoint', async () => {
  const { feed, hear } = openStorage();
  hear(10);
  expect(await feed.newest(1, 99)).toEqual(checkpoint(10));
});
