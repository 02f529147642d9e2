/** Writes a first sync config for the tables of a source. Users get their own rows and nothing else. */

import { oncePer } from '../engine/ground/oncePer.ts';
import { analyze, type KnownSource, severityOf, userIdColumnOf } from '../engine/index.ts';
import { type CatalogTable, isReplicated } from '../engine/model/catalog.ts';
import { nameText } from '../engine/sql/names.ts';
import { keyText } from '../engine/yaml/keys.ts';
import { type OwnedTable, relatedCondition } from './relatedRows.ts';

interface Starter {
  readonly text: string;
  /** The number of tables without a stream. */
  readonly without: number;
  /** The number of those for which the text suggests a stream. */
  readonly suggested: number;
}

/** @param chosen the names of the tables; absent: all tables */
export function starterFor(source: KnownSource, chosen?: readonly string[]): Starter {
  const streams: string[] = [];
  const related: string[] = [];
  const keyless: string[] = [];
  const unknown: string[] = [];
  const [tables, owned] = [tablesOf(source), ownedTables(source)];
  for (const table of tables) {
    if (chosen !== undefined && !chosen.includes(table.name)) continue;
    const own = owned.find((each) => each.table === table);
    const condition = own?.condition ?? relatedCondition(table, owned, tables);
    const stream = condition && streamFor(table, condition, own?.owner);
    if (!stream || (own === undefined && !isSound(stream, source))) unknown.push(table.name);
    else if (!hasId(table)) keyless.push(stream);
    else (own === undefined ? related : streams).push(stream);
  }
  const suggested = related.length + keyless.length;
  const comments = [...commentOnRelated(related), ...commentOnKeyless(keyless), ...commentOnUnknown(unknown)];
  const braces =
    streams.length === 0 && suggested > 0 ? ['', '  # Before you remove a #, remove the {} above.'] : [];
  return { text: textOf(streams, [...braces, ...comments]), without: suggested + unknown.length, suggested };
}

interface StarterTable {
  readonly name: string;
  /** The column that contains the owner of a row; absent if it is unknown, or if the table has no `id`. */
  readonly owner?: string;
  readonly isKeyless?: true;
}

/** Returns the tables that a first sync config can contain. */
export function starterTables(source: KnownSource): readonly StarterTable[] {
  const owned = ownedTables(source);
  return tablesOf(source).map((table) => {
    const { name } = table;
    if (!hasId(table)) return { name, isKeyless: true };
    const owner = owned.find((each) => each.table === table)?.owner;
    return { name, ...(owner !== undefined && { owner }) };
  });
}

/** Returns the tables whose rows have a known owner, except those for which a stream would have problems. */
export const ownedTables = oncePer((source: KnownSource): readonly OwnedTable[] =>
  tablesOf(source).flatMap((table) => {
    const owner = userIdColumnOf(table, source.catalog);
    const type = owner === undefined ? undefined : table.columns.get(owner)?.type;
    if (owner === undefined || (type !== 'text' && type !== 'integer')) return [];
    const name = nameText(owner);
    const condition = `${type === 'integer' ? `CAST(${name} AS TEXT)` : name} = auth.user_id()`;
    const isUsable = isSound(streamFor(table, condition, owner), source);
    return isUsable ? [{ table, owner, condition }] : [];
  }),
);

function tablesOf({ catalog, defaultSchema }: KnownSource): readonly CatalogTable[] {
  return catalog.tables.filter(
    (table) => table.schema === defaultSchema && isReplicated(table) && !ofTools.test(table.name),
  );
}

/** Matches the tables of migration tools and of PostGIS. */
const ofTools =
  /^(?:_|schema_migrations$|ar_internal_metadata$|spatial_ref_sys$|knex_|drizzle|flyway_|goose_|alembic_)/i;

/** Clients need an `id` of each row. */
export function hasId({ columns }: CatalogTable): boolean {
  return columns.has('id');
}

/** Whether a stream has no problems. Hints are only about style or cost. */
function isSound(stream: string, source: KnownSource): boolean {
  const { findings } = analyze(textOf([stream], []), { ...source, kind: 'sync' });
  return findings.every(({ code }) => severityOf(code) === 'hint');
}

function streamFor(table: CatalogTable, condition: string, owner: string | undefined): string {
  const columns = hasId(table) ? '*' : `${keyColumnsOf(table, owner).join(" || '-' || ")} AS id, *`;
  return [
    `  ${keyText(table.name)}:`,
    '    auto_subscribe: true',
    `    query: SELECT ${columns} FROM ${nameText(table.name)} WHERE ${condition}`,
  ].join('\n');
}

/** Returns the columns that most likely identify a row of a table without an `id`: those that refer to others. */
function keyColumnsOf({ columns }: CatalogTable, owner: string | undefined): readonly string[] {
  const keys = [...columns.values()].filter(
    ({ name, references }) => references !== undefined || name === owner,
  );
  return keys.map(({ name }) => nameText(name));
}

function textOf(streams: readonly string[], comments: readonly string[]): string {
  return [
    '# This config defines which users get which rows. `headwater dev` deploys it whenever it is saved.',
    'config:',
    '  edition: 3',
    '',
    ...(streams.length === 0 ? ['streams: {}'] : ['streams:', streams.join('\n\n')]),
    ...comments,
    '',
  ].join('\n');
}

function commentOnRelated(streams: readonly string[]): readonly string[] {
  return commentOn(streams, [
    'Rows of these tables belong to rows of a user, or a row of the user refers to them. If the user may have them,',
    'remove the # of the stream:',
  ]);
}

function commentOnKeyless(streams: readonly string[]): readonly string[] {
  return commentOn(streams, [
    'These tables have no `id`, which clients need. If the columns before `AS id` identify a row, remove the # of the stream:',
  ]);
}

function commentOn(streams: readonly string[], introduction: readonly string[]): readonly string[] {
  if (streams.length === 0) return [];
  const lines = streams.flatMap((stream) => ['', ...stream.split('\n').map((line) => line.slice(2))]);
  return ['', ...[...introduction, ...lines].map((line) => `  # ${line}`.trimEnd())];
}

function commentOnUnknown(tables: readonly string[]): readonly string[] {
  const [first] = tables;
  if (first === undefined) return [];
  return [
    '',
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
