import { expect, test } from 'vitest';
import { type JobStep, trackProgress } from '../../../../server/service/replication/jobs/progress.ts';
import { toLsn } from '../../../../server/service/replication/postgres/lsn.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';
import { tableId } from '../../../support/service/sourceIds.ts';

function track() {
  const steps: JobStep[] = [];
  return { steps, progress: trackProgress(createManualClock(), (step) => steps.push(step)) };
}

test('transactions count when they are settled, and only once', () => {
  const { steps, progress } = track();
  progress.begun(1);
  progress.begun(2);
  progress.settled(toLsn(5n));
  progress.begun(3);
  progress.settled(toLsn(6n));
  progress.settled(toLsn(7n));
  expect(steps).toEqual([{ transactions: 2 }, { transactions: 1 }, { transactions: 0 }]);
  expect(progress.snapshot().lastCommit).toBe(toLsn(7n));
});

test('the oldest open transaction is the first one since the last that was settled', () => {
  const { progress } = track();
  progress.begun(4);
  progress.begun(5);
  expect(progress.times().oldestOpenAt).toBe(4);
  progress.settled(toLsn(5n));
  expect(progress.times()).not.toHaveProperty('oldestOpenAt');
});

test('rows count when they are stored; a table of which no row was copied has none', () => {
  const { steps, progress } = track();
  progress.stored({ rows: 3, bytes: 10, pages: 1 });
  progress.stored({ pages: 1 });
  progress.stored({ rows: 2 });
  progress.table({
    id: 1,
    sourceId: tableId(1),
    schema: 'public',
    name: 't',
    identityKind: 'nothing',
    identity: [],
    copied: false,
  });
  expect(progress.snapshot()).toMatchObject({
    replicatedRows: 5,
    tables: [{ table: 'public.t', copied: false, copiedRows: 0 }],
  });
  expect(steps).toHaveLength(3);
});

test('the reason for waiting says which part of a table is copied, if the number of its rows is known', () => {
  const { progress } = track();
  const table = { schema: 'public', name: 't' };
  const stored = { ...table, id: 1, sourceId: tableId(1), identityKind: 'nothing', identity: [] } as const;
  const waitingFor = (copiedRows: number, estimatedRows?: number) => {
    progress.table({
      ...stored,
      copied: false,
      progress: { copiedRows, ...(estimatedRows !== undefined && { estimatedRows }) },
    });
    return progress.snapshot().waitingFor;
  };
  progress.waiting('Copying t again.', table);
  expect(progress.snapshot().waitingFor).toBe('Copying t again.');
  expect(waitingFor(40, 100)).toBe('Copying t again. About 40 % of its rows are copied.');
  expect(waitingFor(120, 100)).toBe('Copying t again. About 99 % of its rows are copied.');
  expect(waitingFor(40)).toBe('Copying t again.');
  progress.table({ ...stored, copied: true });
  expect(progress.snapshot().waitingFor).toBe('Copying t again.');
  progress.waiting(undefined);
  expect(progress.snapshot()).not.toHaveProperty('waitingFor');
});
