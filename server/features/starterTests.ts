/** Writes the first access tests of a project: two users, with a row of each in the tables of the first sync config. */
import { type KnownSource, storedValue } from '../engine/index.ts';
import type { CatalogTable } from '../engine/model/catalog.ts';
import { defaultOptions } from '../engine/model/options.ts';
import { keyText } from '../engine/yaml/keys.ts';
import type { OwnedTable } from './relatedRows.ts';
import { hasId, ownedTables } from './starter.ts';

/** The values for Ada and for Bob. */
type Pair = readonly [string, string];

const names: Pair = ['ada', 'bob'];
const numbers: Pair = ['1', '2'];
/** The possible ids of rows, the most readable ones first. */
const rowIds: readonly Pair[] = [['of-ada', 'of-bob'], ['a', 'b'], numbers];

/**
 * Returns the first tests of a config; undefined if no user gets a row.
 *
 * @param config the path of the config, relative to the folder of the tests
 */
export function starterTests(config: string, source: KnownSource): string | undefined {
  const owned = ownedTables(source).filter(({ table }) => hasId(table));
  if (owned.length === 0) return undefined;
  const users = owned.every(({ table, owner }) => fits(names, table, owner)) ? names : numbers;
  const tested = owned.flatMap((each) => testedTable(each, users) ?? []);
  return [
    '# These tests check which users get which rows. Run them with `headwater test`.',
    `config: ${config}`,
    '',
    'users:',
    ...names.map((name, user) => `  ${name}: { id: ${valueText(users[user])} }`),
    '',
    ...(tested.length === 0 ? [] : testOfRows(tested)),
    'always:',
    ...owned.flatMap(({ table, condition }) => [
      `  - name: ${valueText(`rows of ${table.name} stay with their owner`)}`,
      `    table: ${keyText(table.name)}`,
      `    holds: ${valueText(condition)}`,
    ]),
    '',
  ].join('\n');
}

function testOfRows(tested: readonly TestedTable[]): readonly string[] {
  return [
    'rows:',
    ...tested.map(({ key, rows }) => `  ${key}: [${rows.join(', ')}]`),
    '',
    'tests:',
    '  - name: everyone has their own rows, and nothing else',
    '    strict: true',
    '    expect:',
    ...names.flatMap((name, user) => [
      `      ${name}:`,
      ...tested.map(({ key, ids }) => `        ${key}: [${ids[user]}]`),
    ]),
    '',
  ];
}

interface TestedTable {
  readonly key: string;
  readonly ids: readonly string[];
  readonly rows: readonly string[];
}

/** Returns the rows of the users in a table. Undefined if its columns cannot contain such values. */
function testedTable({ table, owner }: OwnedTable, users: Pair): TestedTable | undefined {
  const ids = owner === 'id' ? users : rowIds.find((each) => fits(each, table, 'id'));
  if (ids === undefined || !fits(users, table, owner)) return undefined;
  const columns = new Map([
    ['id', ids],
    [owner, users],
  ]);
  const rowOf = (user: number): string =>
    [...columns].map(([column, values]) => `${keyText(column)}: ${valueText(values[user])}`).join(', ');
  return {
    key: keyText(table.name),
    ids: ids.map(valueText),
    rows: names.map((_, user) => `{ ${rowOf(user)} }`),
  };
}

const options = defaultOptions(3);

/** Whether a column can contain the values, and returns them unchanged. */
function fits(values: Pair, { columns }: CatalogTable, column: string): boolean {
  return values.every((value) => {
    const stored = storedValue(value, columns.get(column) ?? {}, options);
    return stored.kind === 'unknown' || (stored.kind === 'stored' && String(stored.value) === value);
  });
}

/** Returns a text as a YAML value, in quotes if it needs them. */
function valueText(text = ''): string {
  return /^[A-Za-z_][\w .=()-]*$/.test(text) ? text : JSON.stringify(text);
}
