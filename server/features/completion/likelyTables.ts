/** Which table is most likely meant, by what the query and the file around it say: the likeliest first. */
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { SqlText } from '../../engine/model/definition.ts';
import { nameKey } from '../../engine/model/scope.ts';
import {
  keyNameOf,
  likelyOwnerColumnOf,
  type NamedTable,
  namesSameThing,
} from '../../engine/names/relations.ts';
import { expressionsIn, selectsIn } from '../../engine/sql/walk.ts';
import { queriesOf, sqlTextsOf } from '../reading/sqlTexts.ts';
import { comparedColumn } from './compared.ts';
import type { SqlContext } from './sqlContext.ts';

/** What a table is like: lower numbers are better, and the first one that differs decides. */
type Fit = readonly number[];

export function byLikelihood<T extends NamedTable>(context: SqlContext, tables: readonly T[]): readonly T[] {
  const fits = context.position.queries.length > 1 ? fitsOfInner(context) : fitsOfOuter(context);
  const wants = needsOf(context);
  return tables
    .map((table, index) => ({ table, fit: [...fitOfNeeds(table, wants), ...fits(table), index] }))
    .toSorted((a, b) => compare(a.fit, b.fit))
    .map(({ table }) => table);
}

function compare(a: Fit, b: Fit): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** What the query reads of tables that it does not name yet. */
interface TableNeeds {
  readonly columns: readonly string[];
  readonly qualifiers: readonly string[];
  /** Aliases that the file has for tables elsewhere, as `alias table`. */
  readonly aliases: ReadonlySet<string>;
}

export function needsOf(context: SqlContext): TableNeeds {
  const { query, position, place, tables, analysis } = context;
  const named = (tables[0] ?? []).filter(
    ({ start, columns }) => start < position.start || (start > position.start && columns.length > 0),
  );
  const columns = new Set<string>();
  const qualifiers = new Set<string>();
  for (const expr of query ? expressionsIn(query) : []) {
    if (expr.kind === 'star' && expr.table) qualifiers.add(expr.table.text);
    if (expr.kind !== 'reference' || (expr.span.start <= place.at && place.at <= expr.column.span.end))
      continue;
    const { table, column } = expr;
    if (table) qualifiers.add(table.text);
    const isNamed = table
      ? named.some(({ name }) => nameKey(name) === nameKey(table.text))
      : named.some((one) => one.columns.some(({ name }) => name === column.text));
    if (!isNamed) columns.add(column.text);
  }
  for (const { name } of named) qualifiers.delete(name);
  return { columns: [...columns], qualifiers: [...qualifiers], aliases: aliasesIn(analysis) };
}

function aliasesIn(analysis: SqlContext['analysis']): ReadonlySet<string> {
  const sources = sqlTextsOf(analysis).flatMap(({ text }) => sourcesIn(text));
  return new Set(sources.flatMap(({ name, alias }) => (alias === undefined ? [] : [`${alias} ${name}`])));
}

export function fitOfNeeds(table: NamedTable, { columns, qualifiers, aliases }: TableNeeds): Fit {
  const missing = columns.filter((name) => !table.columns.includes(name)).length;
  const ofColumns = missing === 0 ? 0 : missing < columns.length ? 1 : 2;
  const [ofQualifiers = 0] = qualifiers
    .map((name) => fitOfAlias(name, table.name, aliases))
    .toSorted((a, b) => a - b);
  return [ofColumns, ofQualifiers];
}

function fitOfAlias(alias: string, table: string, aliases: ReadonlySet<string>): number {
  if (nameKey(alias) === nameKey(table) || aliases.has(`${alias} ${table}`)) return 0;
  const initials = table.split('_').map((word) => word[0] ?? '');
  if (alias.toLowerCase() === initials.join('').toLowerCase()) return 1;
  return table.toLowerCase().startsWith(alias.toLowerCase()) ? 2 : 3;
}

/** Called as the stream is; then those that nothing reads yet. */
function fitsOfOuter({ analysis, reach, place, offset }: SqlContext): (table: NamedTable) => Fit {
  const texts = sqlTextsOf(analysis).filter(({ span }) => offset < span.start || span.end < offset);
  const read = new Set(texts.flatMap(({ text }) => sourcesIn(text).map(({ name }) => name)));
  const queries: ReadonlySet<SqlText> = new Set(
    reach.definition ? queriesOf(reach.definition.definition) : [],
  );
  const own = new Set(texts.flatMap(({ text }) => (queries.has(text) ? outerSourcesIn(text) : [])));
  const owner = place.name ?? place.owner ?? '';
  return ({ name }) => [
    own.has(name) ? furthest : fitOfName(owner, name),
    own.has(name) ? 2 : read.has(name) ? 1 : 0,
  ];
}

/** After `list_id IN (SELECT id FROM`: the lists; else those that say which users they belong to. */
function fitsOfInner(context: SqlContext): (table: NamedTable) => Fit {
  const { position, analysis, query } = context;
  const column = comparedColumn(context, position.queries.at(-1)?.start);
  const selected = query?.columns.flatMap(({ expr }) => (expr.kind === 'reference' ? expr.column.text : []));
  const readsId = selected?.some((name) => name.toLowerCase() === 'id') === true;
  const read = new Set(sqlTextsOf(analysis).flatMap(({ text }) => sourcesIn(text).map(({ name }) => name)));
  return (table) => [
    readsId && column && keyNameOf(table.name) === column.name.toLowerCase() ? 0 : 1,
    table.name === column?.of ? 1 : 0,
    likelyOwnerColumnOf(table) === undefined ? 1 : 0,
    read.has(table.name) ? 0 : 1,
  ];
}

const furthest = 4;

/** `my_tasks` is about `tasks`. */
function fitOfName(owner: string, table: string): number {
  if (owner === '') return furthest;
  if (namesSameThing(owner, table)) return 0;
  const [ofOwner, ofTable] = [wordsOf(owner), wordsOf(table)];
  if (isWithin(ofTable, ofOwner)) return 1 + 1 / (1 + ofTable.length);
  return isWithin(ofOwner, ofTable) ? 2 : furthest;
}

function wordsOf(name: string): readonly string[] {
  return keyNameOf(name).replace(/_id$/, '').split(/[_-]+/);
}

function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return ` ${outer.join(' ')} `.includes(` ${inner.join(' ')} `);
}

interface Source {
  readonly name: string;
  readonly alias?: string;
}

/** The tables that a text reads. */
const sourcesIn = oncePer(({ sql }: SqlText): readonly Source[] =>
  sql.statements.flatMap(selectsIn).flatMap(sourcesOf),
);

/** Without those of subqueries. */
function outerSourcesIn({ sql }: SqlText): readonly string[] {
  return sql.statements.flatMap((one) =>
    one.kind === 'select' ? sourcesOf(one).map(({ name }) => name) : [],
  );
}

function sourcesOf({ from }: ReturnType<typeof selectsIn>[number]): readonly Source[] {
  return from.flatMap(({ source }) =>
    source.kind === 'table'
      ? [{ name: source.name.text, ...(source.alias && { alias: source.alias.name.text }) }]
      : [],
  );
}
