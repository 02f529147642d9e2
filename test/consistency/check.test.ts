import { expect, test } from 'vitest';
import { openObservations, violationsIn } from './check.ts';
import { type History, openHistory } from './history.ts';
import { textOf } from './scenario.ts';

const history: History = openHistory();
const first = { id: 'a0', owner: 'ada', balance: 5 };
history.add({ version: 1, effects: [{ kind: 'put', table: 'accounts', row: first }] });
history.add({ version: 2, effects: [{ kind: 'put', table: 'accounts', row: { ...first, owner: 'ben' } }] });

interface Sighting {
  readonly version: number;
  readonly rows: readonly { readonly id: string }[];
}

function violationsOf(...seen: readonly Sighting[]): string {
  const observations = openObservations();
  for (const { version, rows } of seen) {
    const shown = new Map(rows.map((row) => [`accounts/${row.id}`, textOf(row)]));
    shown.set('version/v', textOf({ id: 'v', n: version }));
    observations.add({ client: 'one', user: 'ada', version, rows: shown });
  }
  return violationsIn(history, observations.all).join('\n');
}

test('committed states in ascending order are accepted', () => {
  expect(
    violationsOf({ version: 0, rows: [] }, { version: 1, rows: [first] }, { version: 2, rows: [] }),
  ).toBe('');
});

test('missing rows of a config, and rows of two configs at once, are found', () => {
  const states = openHistory();
  const lists = ['l0', 'l1'].map((id) => ({ id, title: 'a list' }));
  const members = lists.map(({ id }) => ({ id: `m${id}`, list_id: id, user_id: 'ada' }));
  states.add({
    version: 1,
    effects: [
      ...lists.map((row) => ({ kind: 'put', table: 'lists', row }) as const),
      ...members.map((row) => ({ kind: 'put', table: 'members', row }) as const),
    ],
  });
  const found = (...marks: readonly string[]) => {
    const observations = openObservations();
    const rows = new Map([['version/v', textOf({ id: 'v', n: 1 })]]);
    for (const row of lists) rows.set(`lists/${row.id}`, textOf(row));
    for (const [n, mark] of marks.entries())
      rows.set(`notes/l${n}`, textOf({ id: `l${n}`, title: 'a list', mark }));
    observations.add({ client: 'one', user: 'ada', version: 1, rows });
    return violationsIn(states, observations.all).join();
  };
  expect(found()).toBe('');
  expect(found('copy 1', 'copy 1')).toBe('');
  expect(found('copy 1')).toMatch(/does not show 1 rows: notes\/l1/);
  expect(found('copy 1', 'copy 2')).toMatch(/shows another state of 1 rows/);
});

test.each<[string, Sighting[], RegExp]>([
  ['a row that is missing', [{ version: 1, rows: [] }], /does not show 1 rows: accounts\/a0/],
  ['a row of another user', [{ version: 2, rows: [first] }], /should not show 1 rows: accounts\/a0/],
  [
    'a mixture of states',
    [{ version: 1, rows: [{ ...first, owner: 'x' }] }],
    /shows another state of 1 rows/,
  ],
  [
    'a step back',
    [
      { version: 2, rows: [] },
      { version: 1, rows: [first] },
    ],
    /one went back from version 2 to 1/,
  ],
  ['a state that was never committed', [{ version: 3, rows: [] }], /version 3, which was never committed/],
])('%s is found', (_, seen, sentence) => {
  expect(violationsOf(...seen)).toMatch(sentence);
});
