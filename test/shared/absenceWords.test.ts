import { expect, test } from 'vitest';
import type { Absence } from '../../server/engine/index.ts';
import {
  type Absence as AbsenceReason,
  absenceText,
  conditionWords,
  type PlacedCondition,
  subscribeText,
} from '../../server/shared/absenceWords.ts';

const reason = (some: Partial<AbsenceReason>): AbsenceReason => ({
  stream: 'todos',
  kind: 'filtered',
  marks: [],
  values: [],
  held: [],
  conditions: [],
  ...some,
});

test.each<[Partial<AbsenceReason>, string]>([
  [
    { values: [{ text: 'done', value: 1 }] },
    'todos does not send this row to ada, because a condition does not hold: in this row, done is 1.',
  ],
  [
    { kind: 'other values', values: [{ text: 'owner_id', value: "o'b" }], held: ['ada'] },
    "todos does not send this row to ada, because the query sends it only to clients that have its values: in this row, owner_id is 'o''b'. ada has 'ada'.",
  ],
  [
    { kind: 'other values', held: Array.from({ length: 9 }, (_, index) => index) },
    'todos does not send this row to ada, because the query sends it only to clients that have its values. ada has 0, 1, 2, 3, 4, 4 more.',
  ],
  [
    { kind: 'not subscribed' },
    'todos does not send this row to ada, because the client does not subscribe to it.',
  ],
  [
    { kind: 'client filtered', values: [{ text: "auth.parameter('role')", value: null }] },
    "todos does not send this row to ada, because a condition on the client does not hold: auth.parameter('role') is NULL.",
  ],
  [
    { kind: 'nothing found' },
    'todos does not send this row to ada, because its lookups find no row for ada.',
  ],
  [
    { kind: 'no client key', missing: { part: 'subscription', path: ['room'] } },
    'todos does not send this row to ada, because the subscription has no parameter room.',
  ],
  [
    { kind: 'no client key' },
    'todos does not send this row to ada, because the client lacks a value that the stream requires.',
  ],
  [{ kind: 'something newer' }, 'todos does not send this row to ada (something newer).'],
])('%j becomes a readable sentence', (some, text) => {
  expect(absenceText(reason(some), 'ada')).toBe(text);
});

test.each([
  'filtered',
  'no key',
  'no element',
  'failed',
  'not subscribed',
  'client filtered',
  'nothing found',
  'no client key',
  'no common value',
  'client failed',
  'other values',
] satisfies readonly Absence['kind'][])('%s claims nothing about other rows and other users', (kind) => {
  expect(absenceText(reason({ kind }), 'ada')).toMatch(/^todos does not send this row to ada, because /);
});

test('the offer to subscribe names the stream and the values', () => {
  expect(subscribeText('beds', { plot: '0002', year: 2026 })).toBe(
    "Subscribe to beds with plot '0002', year 2026",
  );
  expect(subscribeText('beds', {})).toBe('Subscribe to beds');
});

const mark = { sql: "plot_id =\n  subscription.parameter('plot')", start: 0, end: 9 };

test.each<[Partial<PlacedCondition>, string]>([
  [
    { kind: 'comparison', marks: [mark], values: [{ text: 'plot_id', value: '0002' }], held: ['nonsense'] },
    "plot_id = subscription.parameter('plot') | this row: '0002' · ada: 'nonsense'",
  ],
  [{ kind: 'comparison', held: [null] }, ' | ada: nothing'],
  [{ kind: 'comparison' }, ' | ada: not looked up'],
  [{ kind: 'row', values: [{ text: 'done', value: 1 }] }, ' | done is 1'],
  [{ kind: 'client', holds: 'unknown' }, ' | not evaluated'],
  [{ kind: 'row', holds: 'unknown', code: 'invalid-json' }, ' | cannot be evaluated (invalid-json)'],
  [{ kind: 'element' }, ' | this row has no element'],
  [{ kind: 'lookup', holds: true }, ' | ada: found'],
  [{ kind: 'lookup' }, ' | ada: nothing found'],
  [{ kind: 'lookup', holds: 'unknown' }, ' | ada: not looked up'],
  [
    { kind: 'comparison', values: ['a', 'b'].map((value) => ({ text: 'tags', value })), held: ['x', 'y'] },
    " | this row: 'a', 'b' · ada: 'x', 'y'",
  ],
  [{ kind: 'subscription' }, ' | does not subscribe to beds'],
  [{ kind: 'subscription', holds: true }, ' | subscribes to beds'],
  [{ kind: 'something newer' }, ' | '],
])('%j becomes a readable line', (some, line) => {
  const condition = { kind: '', holds: false, marks: [], values: [], ...some } as const;
  const { sql = '', text } = conditionWords(condition, 'ada', 'beds');
  expect(`${sql} | ${text}`).toBe(line);
});
