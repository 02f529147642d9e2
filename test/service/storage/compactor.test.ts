import { expect, test } from 'vitest';
import { openCompactor } from '../../../server/service/storage/compactor.ts';
import type { Deployment } from '../../../server/service/storage/deployment.ts';
import type { CompactionOptions } from '../../../server/service/storage/storage.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const report = { moved: 3, cleared: 2, lookups: 1, requests: 0 };

function begin(compact: (options: CompactionOptions) => Promise<void> = async () => {}) {
  const clock = createManualClock();
  const compacted: number[] = [];
  const said: string[] = [];
  const records = ['terminated', 'active', 'processing'].map(
    (state, index) => ({ id: index + 1, state, deploymentName: `slot_${index + 1}` }) as Deployment,
  );
  const compactor = openCompactor({
    storage: {
      deployments: { all: async () => records, change: async () => records, watch: () => () => {} },
      compact: async (deployment, options) => {
        compacted.push(deployment);
        await compact(options);
        return report;
      },
    },
    requestRetentionMinutes: 60,
    clock,
    log: { write: (level, message) => said.push(`${level}: ${message}`) },
  });
  const controller = new AbortController();
  const ended = compactor.run(controller.signal);
  return { clock, compacted, said, compactor, ended, abort: () => controller.abort() };
}

test('what serves is compacted a while after the start, then once a day', async () => {
  const { clock, compacted, said, abort, ended } = begin();
  await clock.advance(4 * minute);
  expect(compacted).toEqual([]);
  await clock.advance(minute);
  expect(compacted).toEqual([2]);
  await clock.advance(2 * day);
  expect(compacted).toEqual([2, 2, 2]);
  expect(new Set(said)).toEqual(new Set(['info: Compacted the histories of buckets']));
  abort();
  await ended;
});

test('a failure is said, and the next day it is tried again', async () => {
  const { clock, compacted, said } = begin(() => Promise.reject(new Error('full')));
  await clock.advance(5 * minute);
  await clock.advance(day);
  expect(compacted).toEqual([2, 2]);
  expect(said).toEqual(Array(2).fill('warn: Could not compact the histories of buckets'));
});

test('it rests between steps, in the background and when an admin asks for it', async () => {
  const steps: number[] = [];
  const { clock, compactor } = begin(async ({ rest }) => {
    for (let step = 0; step < 3; step += 1) {
      steps.push(clock.now());
      await clock.sleep(20);
      await rest?.();
    }
  });
  const start = clock.now();
  await clock.advance(6 * minute);
  expect(steps.splice(0).map((at) => at - start - 5 * minute)).toEqual([0, 28, 56]);
  const both = Promise.all([compactor.now(), compactor.now()]);
  await clock.advance(0);
  await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(minute);
  expect(await both).toEqual(Array(2).fill([{ deploymentName: 'slot_2', ...report }]));
  expect(steps.map((at) => at - (steps[0] ?? 0))).toEqual([0, 28, 56]);
});

test('Each request after the end of a run begins another one', async () => {
  const { compacted, compactor } = begin();
  await compactor.now();
  await compactor.now();
  expect(compacted).toEqual([2, 2]);
  await Promise.all([compactor.now(), compactor.now()]);
  expect(compacted).toEqual([2, 2, 2]);
});
