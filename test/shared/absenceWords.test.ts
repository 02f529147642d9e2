import { expect, test } from 'vitest';
import type { AbsenceReason, RowCondition } from '../../client/api/explained.ts';
import { absenceText, conditionWords, subscribeText } from '../../server/shared/absenceWords.ts';

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
  [
    { kind: 'no client key', missing: { part: 'subscription', path: ['room'] } },
    'todos sends ada nothing, because the subscription has no parameter room.',
  ],
  [
    { kind: 'no client key' },
    'todos sends ada nothing, because the client lacks a value that the stream requires.',
  ],
  [{ kind: 'something newer' }, 'todos: something newer.'],
])('%j becomes a readable sentence', (some, text) => {
  expect(absenceText(reason(some), 'ada')).toBe(text);
});

test('the offer to subscribe names the stream and the values', () => {
  expect(subscribeText('beds', { plot: '0002', year: 2026 })).toBe(
    "Subscribe to beds with plot '0002', year 2026",
  );
  expect(subscribeText('beds', {})).toBe('Subscribe to beds');
});

const mark = { sql: "plot_id =\n  subscription.parameter('plot')", start: 0, end: 9 };

test.each<[Partial<RowCondition>, string]>([
  [
    { kind: 'comparison', marks: [mark], values: [{ text: 'plot_id', value: '0002' }], held: ['nonsense'] },
    "plot_id = subscription.parameter('plot') | this row: '0002' · ada: 'nonsense'",
  ],
  [{ kind: 'comparison', held: [null] }, ' | ada: nothing'],
  [{ kind: 'comparison' }, ' | ada: not looked up'],
  [{ kind: 'row', values: [{ text: 'done', value: 1 }] }, ' | done is 1'],
  [{ kind: 'client', holds: 'unknown' }, ' | not looked up'],
  [{ kind: 'subscription' }, ' | does not subscribe to beds'],
  [{ kind: 'subscription', holds: true }, ' | subscribes to beds'],
  [{ kind: 'something newer' }, ' | '],
])('%j becomes a readable line', (some, line) => {
  const condition = { kind: '', holds: false, marks: [], values: [], ...some } as const;
  const { sql = '', text } = conditionWords(condition, 'ada', 'beds');
  expect(`${sql} | ${text}`).toBe(line);
});
