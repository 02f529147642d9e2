/** A first sync config for tables that are there: everybody gets the rows that are theirs, and nobody anything else. */
import { analyze, type KnownSource, ownerColumnOf } from '../../../server/engine/index.ts';

type Table = KnownSource['catalog']['tables'][number];

interface Starter {
  readonly text: string;
  /** Tables that nobody gets yet, because no column says whose their rows are. */
  readonly without: readonly string[];
}

export function starterFor(source: KnownSource): Starter {
  const tables = source.catalog.tables.filter(
    ({ schema, name }) => schema === source.defaultSchema && !ofTools.test(name),
  );
  const streams: string[] = [];
  const without: string[] = [];
  for (const table of tables) {
    const stream = streamFor(table);
    if (stream !== undefined && isSound(stream, source)) streams.push(stream);
    else without.push(table.name);
  }
  return { text: textOf(streams, without), without };
}

/** What migrations remember, and PostGIS brings along. */
const ofTools =
  /^(?:_|schema_migrations$|ar_internal_metadata$|spatial_ref_sys$|knex_|drizzle|flyway_|goose_|alembic_)/i;

function streamFor({ name, columns }: Table): string | undefined {
  const column = ownerColumnOf({ name, columns: [...columns.keys()] });
  if (column === undefined || columns.get(column)?.type !== 'text' || !columns.has('id')) return undefined;
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  return [
    `  ${key}:`,
    '    auto_subscribe: true',
    `    query: SELECT * FROM ${nameText(name)} WHERE ${nameText(column)} = auth.user_id()`,
  ].join('\n');
}

function nameText(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

const reserved = new Set(['user', 'order', 'group', 'table', 'select', 'from', 'where', 'check', 'default']);

/** Whatever we would say of it, it is better left to its author. */
function isSound(stream: string, source: KnownSource): boolean {
  return analyze(textOf([stream], []), { ...source, kind: 'sync' }).findings.length === 0;
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
