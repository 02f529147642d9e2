import { describe, expect, test } from 'vitest';
import { offerSql } from '../../../../client/console/data/completeSql.ts';
import type { OwnTable } from '../../../../client/console/data/ownTables.ts';
import { keyOf, most, pageStatement, readDataRow } from '../../../../client/console/data/pages.ts';

const column = (name: string, isKey = false) => ({
  name,
  type: 'text',
  isKey,
  isGenerated: false,
  isOptional: true,
});
const lists: OwnTable = { schema: 'public', name: 'lists', columns: [column('id', true), column('owner')] };
const todos: OwnTable = {
  schema: 'app',
  name: 'To"dos',
  columns: [column('one', true), column('two', true), column('odd "name')],
};

/** Returns the offers at the cursor, which the bar in the text marks. */
function offered(text: string): readonly string[] {
  const cursor = text.indexOf('|');
  return offerSql(text.replace('|', ''), cursor, [lists, todos]).offers.map((offer) => offer.text);
}

describe('The SQL completion for', () => {
  test.each([
    ['SELECT * FROM |', ['lists', 'app."To""dos"']],
    ['SELECT * FROM li|', ['lists']],
    ['SELECT ow| FROM lists', ['owner']],
    ['SELECT l.| FROM lists l', ['id', 'owner']],
    ['SELECT * FROM lists AS a WHERE a.o|', ['owner']],
    ['SELECT * FROM app.|', ['"To""dos"']],
    ["SELECT 'FROM li|'", []],
    ['se|', ['SELECT']],
  ])('%s', (text, offers) => {
    expect(offered(text)).toEqual(offers);
  });
});

describe('Rows of a table', () => {
  test('are read in a total order, so that no row is on two pages, with any table name', () => {
    const wanted = { table: todos, search: '', order: { column: 'two', direction: 'descending' } } as const;
    const statement = pageStatement(wanted, 3);
    expect(statement).toContain('FROM ONLY "app"."To""dos" AS t\n');
    expect(statement).toContain('ORDER BY t."two" DESC NULLS LAST, t."one" LIMIT 200 OFFSET 600');
    expect(statement).toContain('left(t."odd ""name"::text, 2000)');
    expect(pageStatement({ ...wanted, search: "it's" }, 0)).toContain('lower($1::text)');
  });

  test('are identified by their key, unless the key is cut or absent', () => {
    const row = readDataRow(todos, ['a', 'b', null, 1, 1, null]);
    expect(keyOf(todos, row)).toEqual({ one: 'a', two: 'b' });
    const long = readDataRow(todos, ['a', 'b', 'x', 1, most.characters + 1, 1]);
    expect(long.cut).toEqual(new Map([['two', most.characters + 1]]));
    expect(keyOf(todos, long)).toBeUndefined();
    expect(keyOf({ ...lists, columns: [column('n')] }, readDataRow(lists, ['1', '2', 1, 1]))).toBeUndefined();
  });
});
