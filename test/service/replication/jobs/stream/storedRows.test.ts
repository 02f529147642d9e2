import { describe, expect, test } from 'vitest';
import {
  mostDoubts,
  nextRows,
  type RowsEvent,
  type RowsState,
  StoredRows,
} from '../../../../../server/service/replication/jobs/stream/storedRows.ts';

const states = {
  published: { kind: 'published' },
  changed: { kind: 'changed', doubts: 0 },
  doubted: { kind: 'changed', doubts: 1 },
  doubtedTwice: { kind: 'changed', doubts: 2 },
  overtaken: { kind: 'overtaken', doubts: 0 },
  overtakenDoubted: { kind: 'overtaken', doubts: 1 },
  overtakenDoubtedTwice: { kind: 'overtaken', doubts: 2 },
} satisfies Record<string, RowsState>;

type StateName = keyof typeof states;
type Row = Readonly<Record<RowsEvent, StateName>>;

/** States with two doubts are only results: more doubts change nothing but their number. */
const table: Readonly<Record<Exclude<StateName, `${string}Twice`>, Row>> = {
  published: {
    changed: 'changed',
    overtaken: 'overtaken',
    doubted: 'doubted',
    published: 'published',
    'put off': 'changed',
    'held back': 'changed',
  },
  changed: {
    changed: 'changed',
    overtaken: 'overtaken',
    doubted: 'doubted',
    published: 'published',
    'put off': 'changed',
    'held back': 'changed',
  },
  doubted: {
    changed: 'doubted',
    overtaken: 'overtakenDoubted',
    doubted: 'doubtedTwice',
    published: 'published',
    'put off': 'changed',
    'held back': 'doubted',
  },
  overtaken: {
    changed: 'overtaken',
    overtaken: 'overtaken',
    doubted: 'overtakenDoubted',
    published: 'published',
    'put off': 'changed',
    'held back': 'overtaken',
  },
  overtakenDoubted: {
    changed: 'overtakenDoubted',
    overtaken: 'overtakenDoubted',
    doubted: 'overtakenDoubtedTwice',
    published: 'published',
    'put off': 'changed',
    'held back': 'overtakenDoubted',
  },
};

describe.each(Object.entries(table))('rows that are %s', (from, row) => {
  test.each(Object.entries(row))('%s → %s', (event, to) => {
    expect(nextRows(states[from as StateName], event as RowsEvent)).toEqual(states[to]);
  });
});

test('a checkpoint is due unless the rows are exact (1), and a job begins with rows that are not (3)', () => {
  const rows = new StoredRows();
  expect([rows.isCheckpointDue, rows.isExact]).toEqual([true, false]);
  for (const event of ['published', 'held back', 'published', 'doubted', 'overtaken', 'published'] as const) {
    rows.take(event);
    expect(rows.isCheckpointDue || rows.isExact, event).toBe(true);
  }
});

test('only a published checkpoint makes rows exact again (2)', () => {
  const rows = new StoredRows();
  rows.take('published');
  rows.take('overtaken');
  for (const event of ['changed', 'held back', 'doubted'] as const) {
    rows.take(event);
    expect(rows.isExact, event).toBe(false);
  }
  rows.take('put off');
  expect([rows.isCheckpointDue, rows.isExact]).toEqual([true, true]);
});

test(`tables are copied again because of equal rows ${mostDoubts} times before a checkpoint is published (4)`, () => {
  const rows = new StoredRows();
  for (let count = 0; count < mostDoubts; count += 1) {
    expect(rows.mayBeDoubted).toBe(true);
    rows.take('doubted');
  }
  rows.take('held back');
  expect(rows.mayBeDoubted).toBe(false);
  rows.take('published');
  expect(rows.mayBeDoubted).toBe(true);
});
