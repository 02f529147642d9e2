import { expect, test } from 'vitest';
import { toLsn } from '../../../server/service/replication/postgres/lsn.ts';
import type { BucketReader, Checkpoint, Notice } from '../../../server/service/storage/storage.ts';
import { openFeed } from '../../../server/service/sync/feed.ts';

const checkpoint = (opId: number): Checkpoint => ({ opId, position: toLsn(BigInt(opId)) });

/** Opens a storage to which other processes also write, so its notices may arrive late or be lost. */
function openStorage() {
  let stored = checkpoint(10);
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
    publish: (opId: number) => {
      stored = checkpoint(opId);
    },
    hear: (opId: number) => tell({ deployment: 1, checkpoint: checkpoint(opId) }),
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

test('a client of a former storage gets the newest existing checkpoint', async () => {
  const { feed, hear } = openStorage();
  hear(10);
  expect(await feed.newest(1, 99)).toEqual(checkpoint(10));
});
