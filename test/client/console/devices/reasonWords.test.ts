import { expect, test } from 'vitest';
import type { AbsenceReason } from '../../../../client/api/explained.ts';
import { reasonText, subscribeText } from '../../../../client/console/devices/reasonWords.ts';

const reason = (some: Partial<AbsenceReason>): AbsenceReason => ({
  stream: 'todos',
  kind: 'filtered',
  marks: [],
  values: [],
  held: [],
  buckets: [],
  conditions: [],
  ...some,
});

test.each<[Partial<AbsenceReason>, string]>([
  [
    { values: [{ text: 'done', value: 1 }] },
    'todos excludes this row, because a condition does not hold: in this row, done is 1.',
  ],
  [
    { kind: 'other values', values: [{ text: 'owner_id', value: "o'b" }], held: [['ada']] },
    "todos sends this row only to clients that have its values: in this row, owner_id is 'o''b'. ada has 'ada'.",
  ],
  [
    { kind: 'other values', held: Array.from({ length: 9 }, (_, index) => [index]) },
    'todos sends this row only to clients that have its values. ada has 0, 1, 2, 3, 4, 4 more.',
  ],
  [
    { kind: 'not subscribed' },
    'This row is in todos, which is only for clients that subscribe to it. This client has not subscribed.',
  ],
  [
    { kind: 'client filtered', values: [{ text: "auth.parameter('role')", value: null }] },
    "todos sends ada nothing, because a condition on the client does not hold: auth.parameter('role') is NULL.",
  ],
  [{ kind: 'nothing found' }, 'todos sends ada nothing, because its lookups find no row for ada.'],
  [{ kind: 'something newer' }, 'todos: something newer.'],
])('%j becomes a readable sentence', (some, text) => {
  expect(reasonText(reason(some), 'ada')).toBe(text);
});

test('the offer to subscribe names the stream and the values', () => {
  expect(subscribeText('beds', { plot: '0002', year: 2026 })).toBe(
    "Subscribe to beds with plot '0002', year 2026",
  );
  expect(subscribeText('beds', {})).toBe('Subscribe to beds');
});
