/** Writes a first sync config for the tables of a source, with access tests. Users get their own rows and nothing else. */

import { analyze, type KnownSource, userIdColumnOf } from '../engine/index.ts';
import { isReplicated } from '../engine/model/catalog.ts';
import { nameText } from '../engine/sql/names.ts';
import { keyText } from '../engine/yaml/keys.ts';

type Table = KnownSource['catalog']['tables'][number];

interface Starter {
  readonly text: string;
  /** Tables without a stream, because the column with the owner of a row is unknown. */
  readonly without: readonly string[];
}

/** @param chosen the names of the tables; absent: all tables */
export function starterFor(source: KnownSource, chosen?: readonly string[]): Starter {
  const streams: string[] = [];
  const without: string[] = [];
  for (const { name, owner } of starterTables(source)) {
    if (chosen !== undefined && !chosen.includes(name)) continue;
    if (owner === undefined) without.push(name);
    else streams.push(streamFor(name, owner));
  }
  return { text: textOf(streams, without), without };
}

interface StarterTable {
  readonly name: string;
  /** The column that contains the owner of a row; absent if it is unknown. */
  readonly owner?: string;
}

/** Returns the tables that a first sync config can contain. */
export function starterTables(source: KnownSource): readonly StarterTable[] {
  return tablesOf(source).map((table) => {
    const owner = soundOwnerOf(table, source);
    return { name: table.name, ...(owner !== undefined && { owner }) };
  });
}

function tablesOf({ catalog, defaultSchema }: KnownSource): readonly Table[] {
  return catalog.tables.filter(
    (table) => table.schema === defaultSchema && isReplicated(table) && !ofTools.test(table.name),
  );
}

/** Matches the tables of migration tools and of PostGIS. */
const ofTools =
  /^(?:_|schema_migrations$|ar_internal_metadata$|spatial_ref_sys$|knex_|drizzle|flyway_|goose_|alembic_)/i;

/** Returns the owner column of a table; undefined if it is unknown, or if a stream for the table would have problems. */
function soundOwnerOf(table: Table, source: KnownSource): string | undefined {
  const { name, columns } = table;
  const column = userIdColumnOf(table, source.catalog);
  if (column === undefined || columns.get(column)?.type !== 'text' || !columns.has('id')) return undefined;
  const text = textOf([streamFor(name, column)], []);
  return analyze(text, { ...source, kind: 'sync' }).findings.length === 0 ? column : undefined;
}

function streamFor(name: string, owner: string): string {
  return [
    `  ${keyText(name)}:`,
    '    auto_subscribe: true',
    `    query: SELECT * FROM ${nameText(name)} WHERE ${nameText(owner)} = auth.user_id()`,
  ].join('\n');
}

function textOf(streams: readonly string[], without: readonly string[]): string {
  return [
    '# This config defines which users get which rows. `headwater dev` deploys it whenever it is saved.',
    'config:',
    '  edition: 3',
    '',
    ...(streams.length === 0 ? ['streams: {}'] : ['streams:', streams.join('\n\n')]),
    ...(without.length === 0 ? [] : ['', ...commentOf(without)]),
    '',
  ].join('\n');
}

function commentOf(tables: readonly string[]): readonly string[] {
  const [first = ''] = tables;
  return [
    '  # No user gets rows of these tables yet, because it is not known which column contains the id of the user:',
    ...tables.map((name) => `  #   ${name.replaceAll(/\s/g, ' ')}`),
    '  # If a row belongs to a parent row, write for example:',
    `  #   ${first}: { query: SELECT * FROM ${first} WHERE parent_id IN (SELECT id FROM parents WHERE owner_id = auth.user_id()) }`,
  ];
}

/** The first config for a database whose tables are not known yet. */
export const emptySyncConfig = `# This config defines which users get which rows. \`headwater dev\` deploys it whenever it is saved.
# A stream is a query, for example:
#   mine: { auto_subscribe: true, query: SELECT * FROM notes WHERE owner_id = auth.user_id() }
config:
  edition: 3

streams: {}
`;

/**
 * Returns the first tests of a config; undefined if no user gets a row.
 *
 * @param config the path of the config, relative to the folder of the tests
 */
export function starterTests(config: string, source: KnownSource): string | undefined {
  const tables = starterTables(source).flatMap(({ name, owner }) => {
    if (owner === undefined) return [];
    return [{ name, key: keyText(name), owner }];
  });
  if (tables.length === 0) return undefined;
  return [
    '# These tests check which users get which rows. Run them with `headwater test`.',
    `config: ${config}`,
    '',
    'users:',
    '  ada: { id: ada }',
    '  bob: { id: bob }',
    '',
    'rows:',
    ...tables.map(({ key, owner }) => {
      const column = keyText(owner);
      return `  ${key}: [{ id: of-ada, ${column}: ada }, { id: of-bob, ${column}: bob }]`;
    }),
    '',
    'tests:',
    '  - name: everyone has their own rows, and nothing else',
    '    strict: true',
    '    expect:',
    `      ada: { ${tables.map(({ key }) => `${key}: [of-ada]`).join(', ')} }`,
    `      bob: { ${tables.map(({ key }) => `${key}: [of-bob]`).join(', ')} }`,
    '',
    'always:',
    ...tables.flatMap(({ name, key, owner }) => [
      `  - name: ${plainOrQuoted(`rows of ${name} stay with their owner`)}`,
      `    table: ${key}`,
      `    holds: ${plainOrQuoted(`${nameText(owner)} = auth.user_id()`)}`,
    ]),
    '',
  ].join('\n');
}

/** Returns a text as a YAML value, in quotes if it needs them. */
function plainOrQuoted(text: string): string {
  return /^[A-Za-z_][\w .=()-]*$/.test(text) ? text : JSON.stringify(text);
}
