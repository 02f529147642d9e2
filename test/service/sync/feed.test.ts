import { expect, test } from 'vitest';
import { toLsn } from '../../../server/service/ground/lsn.ts';
import type { BucketReader, Checkpoint, Notice } from '../../../server/service/storage/storage.ts';
import { openFeed } from '../../../server/service/sync/feed.ts';

const checkpoint = (opId: number): Checkpoint => ({ opId, lsn: toLsn(BigInt(opId)) });

/** A storage that others write to, too: what this process hears of it may be late, or lost. */
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

test('a client never gets a checkpoint before what it has, if the storage has a later one', async () => {
  const { feed, publish, hear } = openStorage();
  hear(10);
  publish(30);
  expect(await feed.newest(1, 20)).toEqual(checkpoint(30));
  hear(20);
  expect(await feed.newest(1)).toEqual(checkpoint(30));
});

test('what others have remembered until then may have changed', async () => {
  const { feed, publish, hear } = openStorage();
  const notices: Notice[] = [];
  hear(10);
  feed.watch((notice) => notices.push(notice));
  publish(30);
  await Promise.all([feed.newest(1, 20), feed.newest(1, 20)]);
  expect(notices).toEqual([{ deployment: 1, checkpoint: checkpoint(30) }]);
});

test('the storage is not asked for what is known', async () => {
  const { feed, hear, questions } = openStorage();
  hear(10);
  expect(await feed.newest(1, 10)).toEqual(checkpoint(10));
  expect(questions()).toBe(0);
});

test('a client of a storage that is gone is served with what there is', async () => {
  const { feed, hear } = openStorage();
  hear(10);
  expect(await feed.newest(1, 99)).toEqual(checkpoint(10));
});
