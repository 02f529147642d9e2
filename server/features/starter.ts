/** A first sync config for tables that are there: everybody gets the rows that are theirs, and nobody anything else. */
import { analyze, type KnownSource, ownerColumnOf } from '../engine/index.ts';
import { nameText } from '../engine/sql/names.ts';

type Table = KnownSource['catalog']['tables'][number];

interface Starter {
  readonly text: string;
  /** Tables that nobody gets yet, because no column says whose their rows are. */
  readonly without: readonly string[];
}

/** @param chosen names of tables; absent: all */
export function starterFor(source: KnownSource, chosen?: readonly string[]): Starter {
  const streams: string[] = [];
  const without: string[] = [];
  for (const table of tablesOf(source)) {
    if (chosen !== undefined && !chosen.includes(table.name)) continue;
    const column = soundOwnerOf(table, source);
    if (column === undefined) without.push(table.name);
    else streams.push(streamFor(table.name, column));
  }
  return { text: textOf(streams, without), without };
}

interface StarterTable {
  readonly name: string;
  /** The column that says whose a row is; absent if none does. */
  readonly owner?: string;
}

/** What a first sync config can be made of. */
export function starterTables(source: KnownSource): readonly StarterTable[] {
  return tablesOf(source).map((table) => {
    const owner = soundOwnerOf(table, source);
    return { name: table.name, ...(owner !== undefined && { owner }) };
  });
}

function tablesOf({ catalog, defaultSchema }: KnownSource): readonly Table[] {
  return catalog.tables.filter(({ schema, name }) => schema === defaultSchema && !ofTools.test(name));
}

/** What migrations remember, and PostGIS brings along. */
const ofTools =
  /^(?:_|schema_migrations$|ar_internal_metadata$|spatial_ref_sys$|knex_|drizzle|flyway_|goose_|alembic_)/i;

/** Undefined also where we would have something to say of the stream: such a table is better left to its author. */
function soundOwnerOf(table: Table, source: KnownSource): string | undefined {
  const { name, columns } = table;
  const column = ownerColumnOf({ name, columns: [...columns.keys()] });
  if (column === undefined || columns.get(column)?.type !== 'text' || !columns.has('id')) return undefined;
  const text = textOf([streamFor(name, column)], []);
  return analyze(text, { ...source, kind: 'sync' }).findings.length === 0 ? column : undefined;
}

function streamFor(name: string, owner: string): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  return [
    `  ${key}:`,
    '    auto_subscribe: true',
    `    query: SELECT * FROM ${nameText(name)} WHERE ${nameText(owner)} = auth.user_id()`,
  ].join('\n');
}

function textOf(streams: readonly string[], without: readonly string[]): string {
  return [
    '# Which rows reach whom. `headwater dev` deploys it whenever it is saved.',
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
    '  # Nobody gets rows of these tables yet, since no column says whose they are:',
    ...tables.map((name) => `  #   ${name.replaceAll(/\s/g, ' ')}`),
    '  # Where a row belongs to a parent, for example:',
    `  #   ${first}: { query: SELECT * FROM ${first} WHERE parent_id IN (SELECT id FROM parents WHERE owner_id = auth.user_id()) }`,
  ];
}

/** For a database of which nothing is known yet. */
export const emptySyncConfig = `# Which rows reach whom. \`headwater dev\` deploys it whenever it is saved. A stream is a query, for example:
#   mine: { auto_subscribe: true, query: SELECT * FROM notes WHERE owner_id = auth.user_id() }
config:
  edition: 3

streams: {}
`;
