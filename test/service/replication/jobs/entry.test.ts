import { expect, test } from 'vitest';
import { jobStatusesOf, newEntry, orderOf } from '../../../../server/service/replication/jobs/entry.ts';
import type { Deployment } from '../../../../server/service/storage/deployment.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';

const record = (changes: Partial<Deployment>): Deployment => ({
  id: 1,
  content: 'A',
  createdAt: 0,
  deploymentName: 's',
  state: 'active',
  storageVersion: 2,
  snapshotDone: true,
  revision: 0,
  ...changes,
});
const pending = record({ id: 2, base: 1, content: 'B', state: 'processing' });

test.each<[string, boolean, Deployment]>([
  ['is the same', true, pending],
  ['serves another text that needs nothing else', true, { ...pending, content: 'C', storedContent: 'B' }],
  ['copies another text', false, { ...pending, content: 'C' }],
  ['copies another text under the same content', false, { ...pending, storedContent: 'C' }],
  ['copies a stream again', false, { ...pending, anew: ['s'] }],
  ['is another one', false, { ...pending, id: 3 }],
  ['was given up', false, { ...pending, state: 'stopped' }],
  ['is copied beside another one', false, { ...pending, base: 7 }],
])('if the pending deployment %s, the job of the active one continues: %s', (_, continues, other) => {
  const keyOf = (each: Deployment) => orderOf(record({}), [record({}), each]).key;
  expect(keyOf(other) === keyOf(pending)).toBe(continues);
});

test('the time of the next attempt is known while no attempt is running', () => {
  const clock = createManualClock(1_000);
  clock.set(500_000);
  const entry = newEntry(orderOf(record({}), []), 'replicate', clock);
  entry.notBefore = clock.steady() + 5;
  expect(jobStatusesOf(entry, clock)).toMatchObject([{ running: false, nextAttemptAt: 501_005 }]);
  entry.ended = Promise.resolve();
  expect(jobStatusesOf(entry, clock)[0]).not.toHaveProperty('nextAttemptAt');
  expect(jobStatusesOf(entry, clock)).toMatchObject([{ running: true }]);
});
