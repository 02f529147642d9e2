import { describe, expect, test } from 'vitest';
import { diffPlans } from '../../../server/engine/plan/diff.ts';
import { plansOf } from '../../support/engine/plans.ts';

const mine = 'SELECT id, name FROM boats WHERE owner = auth.user_id()';
const crewed = 'SELECT * FROM boats WHERE id IN (SELECT boat FROM crew WHERE person = auth.user_id())';

describe('a stream', () => {
  test.each([
    ['with other columns', mine, 'SELECT id FROM boats WHERE owner = auth.user_id()', 'rows (boats)'],
    ['with another filter on its rows', mine, `${mine} AND kind = 'a'`, 'rows (boats)'],
    ['under another key', mine, 'SELECT id, name FROM boats WHERE org = auth.user_id()', 'rows (boats)'],
    ['with another condition on the request', mine, `${mine} AND auth.parameter('role') = 'x'`, 'access'],
    ['with another value for its key', mine, mine.replace('auth.user_id()', "auth.parameter('u')"), 'access'],
    [
      'with another lookup',
      crewed,
      crewed.replace('auth.user_id()', "auth.user_id() AND kind = 'a'"),
      'access (crew)',
    ],
    [
      'with conditions in another order',
      `${mine} AND kind = 'a' AND n > 1`,
      `${mine} AND n > 1 AND kind = 'a'`,
      'untouched',
    ],
    ['that is only written differently', mine, mine.replaceAll(' ', '\n  ').toLowerCase(), 'untouched'],
    [
      'with an additional alias',
      mine,
      'SELECT b.id, b.name FROM boats AS b WHERE b.owner = auth.user_id()',
      'rows (boats)',
    ],
  ])('%s', (_, before, after, change) => {
    expect(changes(config(stream(before)), config(stream(after)))).toEqual([`s: ${change}`]);
  });

  test('that clients now get without a subscription', () => {
    expect(changes(config(stream(mine)), config(`${stream(mine)}    auto_subscribe: true\n`))).toEqual([
      's: delivery',
    ]);
  });

  test('with another priority', () => {
    expect(changes(config(stream(mine)), config(`${stream(mine)}    priority: 1\n`))).toEqual([
      's: delivery',
    ]);
  });

  test('that is new, and a stream that is removed', () => {
    expect(changes(config(stream(mine, 'old')), config(stream(mine, 'renamed')))).toEqual([
      'renamed: new',
      'old: gone',
    ]);
    expect(changes(config(''), config(stream(crewed)))).toEqual(['s: new (boats, crew)']);
  });

  test('is not affected by changes before it', () => {
    const before = config(stream(mine, 'a') + stream(crewed, 'b'));
    const after = config(stream('SELECT * FROM ports', 'first') + stream(crewed, 'b'));
    expect(changes(before, after)).toEqual(['first: new (ports)', 'b: untouched', 'a: gone']);
  });
});

describe('a bucket definition', () => {
  test('whose parameters come from another table', () => {
    expect(changes(definition('boat AS b FROM crew'), definition('boat AS b FROM guests'))).toEqual([
      'd: access (guests)',
    ]);
  });

  test('with a priority of its own', () => {
    expect(
      changes(definition('boat AS b FROM crew'), definition('boat AS b, 1 AS _priority FROM crew')),
    ).toEqual(['d: delivery']);
  });

  test('is untouched if only its spelling changes', () => {
    expect(changes(definition('boat AS b FROM crew'), definition('boat  AS  b FROM "crew"'))).toEqual([
      'd: untouched',
    ]);
  });
});

/** Returns lines of the form `name: change (tables to read)`. */
function changes(before: string, after: string): readonly string[] {
  return diffPlans(plansOf(before).plans, plansOf(after).plans).map(
    ({ stream: name, change, reads }) =>
      `${name}: ${change}${reads.length > 0 ? ` (${reads.map((table) => table.name.text).join(', ')})` : ''}`,
  );
}

function config(streams: string): string {
  return `config:\n  edition: 3\nstreams:\n${streams || '  {}\n'}`;
}

function stream(query: string, name = 's'): string {
  return `  ${name}:\n    query: ${JSON.stringify(query)}\n`;
}

function definition(parameters: string): string {
  const query = `SELECT ${parameters} WHERE person = request.user_id()`;
  const data = 'SELECT * FROM boats WHERE id = bucket.b';
  return `bucket_definitions:\n  d:\n    parameters: ${JSON.stringify(query)}\n    data:\n      - ${data}\n`;
}
