import { expect, test } from 'vitest';
import { type Observation, violationsIn } from './check.ts';
import { type History, openHistory } from './history.ts';
import { textOf } from './scenario.ts';

const history: History = openHistory();
const first = { id: 'a0', owner: 'ada', balance: 5 };
history.add({ version: 1, effects: [{ kind: 'put', table: 'accounts', row: first }] });
history.add({ version: 2, effects: [{ kind: 'put', table: 'accounts', row: { ...first, owner: 'ben' } }] });

function seen(version: number, rows: readonly { readonly id: string }[], client = 'one'): Observation {
  const shown = new Map(rows.map((row) => [`accounts/${row.id}`, textOf(row)]));
  return { client, user: 'ada', version, rows: shown.set('version/v', textOf({ id: 'v', n: version })) };
}

test('what was committed, going forward, is accepted', () => {
  expect(violationsIn(history, [seen(0, []), seen(1, [first]), seen(2, [])])).toEqual([]);
});

test.each<[string, Observation[], RegExp]>([
  ['a row that is missing', [seen(1, [])], /does not show 1 rows: accounts\/a0/],
  ['a row of others', [seen(2, [first])], /should not show 1 rows: accounts\/a0/],
  ['a mixture of states', [seen(1, [{ ...first, balance: 6 } as never])], /shows another state of 1 rows/],
  ['a step back', [seen(2, []), seen(1, [first])], /one went back from version 2 to 1/],
  ['what was never committed', [seen(3, [])], /version 3, which was never committed/],
])('%s is found', (_, observations, sentence) => {
  expect(violationsIn(history, observations).join('\n')).toMatch(sentence);
});
