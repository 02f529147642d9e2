import { expect, test } from 'vitest';
import type { Deployment } from '../../../server/service/storage/deployment.ts';
import type { Notice } from '../../../server/service/storage/storage.ts';
import { openRecordWatch } from '../../../server/service/watching/records.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const deployment = (more: Partial<Deployment> = {}): Deployment => ({
  id: 1,
  state: 'active',
  content: 'a',
  deploymentName: 'slot_1',
  storageVersion: 2,
  createdAt: 0,
  revision: 0,
  snapshotDone: true,
  ...more,
});

/** Opens a watch over a storage with one deployment. The storage counts the reads of its records, and can fail. */
async function openTested() {
  const clock = createManualClock();
  const state = { records: [deployment()], reads: 0, isBroken: false, stored: 5 };
  const listeners: ((notice: Notice) => void)[] = [];
  const messages: string[] = [];
  const watch = openRecordWatch({
    clock,
    timeline: { add: ({ message }) => void messages.push(message) },
    meaningOf: ({ content }) => ({ streams: new Map([['all', content]]), whole: content }),
    storage: {
      deployments: {
        all: async () => {
          state.reads += 1;
          if (state.isBroken) throw new Error('No.');
          return state.records;
        },
        change: async () => [],
        watch: () => () => {},
      },
      reader: () => ({ checkpoint: async () => ({ opId: state.stored, position: '0/1' }) }) as never,
      watch: (listener) => {
        listeners.push(listener);
        return () => void listeners.splice(0);
      },
    },
  });
  const end = new AbortController();
  const over = watch.run(end.signal);
  const publish = (opId: number, more: Partial<Notice> = {}): void => {
    for (const call of listeners)
      call({ deployment: 1, checkpoint: { opId, position: '0/2' } as never, ...more });
  };
  await settled();
  const stop = (): Promise<void> => {
    end.abort();
    return over;
  };
  return { clock, state, watch, messages, publish, listeners, stop };
}

/** Resolves when all work that did not wait for the clock has ended. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('Records are read when they may have changed, and never at intervals', async () => {
  const { clock, state, watch, messages, publish, listeners, stop } = await openTested();
  expect([state.reads, watch.head()]).toEqual([1, 5]);
  await clock.advance(3_600_000);
  publish(6);
  await clock.advance(3_600_000);
  expect(state.reads).toBe(1);
  state.records = [deployment({ content: 'b' }), deployment({ id: 2, state: 'terminated' })];
  watch.wake();
  await settled();
  expect([state.reads, messages]).toEqual([
    2,
    ['Config 2 was deployed: changed stream all. Nothing had to be copied.'],
  ]);
  publish(7, { activated: { revision: 1 } });
  await settled();
  expect(state.reads).toBe(3);
  await stop();
  expect(listeners).toEqual([]);
});

test('Records that cannot be read are read again until this succeeds', async () => {
  const { clock, state, watch, stop } = await openTested();
  state.isBroken = true;
  watch.wake();
  await settled();
  await clock.advance(3_500);
  expect(state.reads).toBe(5);
  state.isBroken = false;
  await clock.advance(10_000);
  expect(state.reads).toBe(6);
  await stop();
});

test('A new checkpoint is reported at once; of many, only some are, but always the last one', async () => {
  const { clock, watch, publish, stop } = await openTested();
  const heads: (number | undefined)[] = [];
  watch.watchHead(() => heads.push(watch.head()));
  publish(6);
  expect(heads).toEqual([6]);
  for (let opId = 7; opId < 100; opId += 1) publish(opId);
  expect(heads).toEqual([6]);
  await clock.advance(1_000);
  expect(heads).toEqual([6, 99]);
  publish(100);
  expect(heads).toEqual([6, 99, 100]);
  await stop();
});
