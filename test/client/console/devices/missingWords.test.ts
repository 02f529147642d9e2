import { expect, test } from 'vitest';
import {
  amountMissing,
  emptyTitle,
  type MissingFound,
} from '../../../../client/console/devices/missingWords.ts';

const row = { data: '{}', bytes: new Map(), targets: [], reasons: [] };
const found = (some: Partial<MissingFound>): MissingFound => ({
  content: '',
  isRead: true,
  isReading: false,
  rows: [],
  ...some,
});

test.each<[Partial<MissingFound>, string, RegExp]>([
  [{}, '', /^Nothing is missing/],
  [{ after: '(9,1)' }, '', /so far/],
  [{}, 't1', /^No missing row matches/],
  [{ after: '(9,1)' }, 't1', /so far/],
  [{ isReading: true }, '', /^Reading/],
  [{ isRead: false }, '', /^No query reads/],
  [{ problem: 'The connection was lost.' }, '', /^Cannot read/],
])('%j with the search %j is titled %s', (some, search, title) => {
  expect(emptyTitle(found(some), search)).toMatch(title);
});

test('The number of missing rows is final only if all rows were read', () => {
  expect(amountMissing(found({ rows: [row] }), 'todos')).toBe('1 row of todos is not on this device.');
  expect(amountMissing(found({ rows: [row, row], after: '(9,1)' }), 'todos')).toBe(
    '2 rows of todos are not on this device so far.',
  );
  expect(amountMissing(found({ rows: [row], problem: 'The connection was lost.' }), 'todos')).toBe(
    '1 row of todos is not on this device so far. Cannot read more rows: The connection was lost.',
  );
});
