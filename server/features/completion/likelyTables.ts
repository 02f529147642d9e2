/** Sorts tables by likelihood, judged by the query and the file around it. */
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { SqlText } from '../../engine/model/definition.ts';
import { nameKey } from '../../engine/model/scope.ts';
import { queriesOf, textsOf } from '../../engine/model/texts.ts';
import { keyNameOf, likelyOwnerColumnOf, type NamedTable } from '../../engine/names/relations.ts';
import { expressionsIn } from '../../engine/sql/walk.ts';
import { textFactsOf } from '../reading/facts.ts';
import { onceInFile, type TextRun, textRunsOf } from '../reading/sqlTexts.ts';
import { comparedColumn } from './compared.ts';
import type { SqlContext } from './sqlContext.ts';

/** The fit of a table as a list of numbers. Lower numbers are better, and the first different number decides. */
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

/** The names that the query reads from tables that it does not contain yet. */
interface TableNeeds {
  readonly columns: readonly string[];
  readonly qualifiers: readonly string[];
  /** Aliases that the file uses for tables elsewhere, as `alias table`. */
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

const aliasesIn = onceInFile(
  oncePer((run: TextRun) => {
    const sources = run.flatMap((text) => textFactsOf(text).sources);
    return new Set(sources.flatMap(({ name, alias }) => (alias === undefined ? [] : [`${alias} ${name}`])));
  }),
);

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

/** Prefers tables that match the name of the stream, and then tables that no query reads yet. */
function fitsOfOuter({ analysis, reach, place, offset }: SqlContext): (table: NamedTable) => Fit {
  const here = textsAt(analysis, offset);
  const read = readElsewhere(analysis, here);
  const queries = reach.definition ? queriesOf(reach.definition.definition) : [];
  const own = new Set(queries.flatMap((text) => (here.has(text) ? [] : textFactsOf(text).outerTables)));
  const owner = place.name ?? place.owner ?? '';
  const fitOf = fitsOfName(owner);
  return (table) => [
    own.has(table.name) ? furthest : fitOf(table),
    own.has(table.name) ? 2 : read.has(table.name) ? 1 : 0,
  ];
}

/** Prefers, after `list_id IN (SELECT id FROM`, the table of lists, and otherwise tables that have an owner column. */
function fitsOfInner(context: SqlContext): (table: NamedTable) => Fit {
  const { position, analysis, query } = context;
  const column = comparedColumn(context, position.queries.at(-1)?.start);
  const selected = query?.columns.flatMap(({ expr }) => (expr.kind === 'reference' ? expr.column.text : []));
  const readsId = selected?.some((name) => name.toLowerCase() === 'id') === true;
  const read = readElsewhere(analysis, none);
  return (table) => [
    readsId && column && keyNameOf(table.name) === column.name.toLowerCase() ? 0 : 1,
    table.name === column?.of ? 1 : 0,
    hasOwner(table) ? 0 : 1,
    read.has(table.name) ? 0 : 1,
  ];
}

const hasOwner = oncePer((table: NamedTable) => likelyOwnerColumnOf(table) !== undefined);

const none: ReadonlySet<SqlText> = new Set();

/** Returns the SQL texts at an offset, normally only one. */
function textsAt({ config }: SqlContext['analysis'], offset: number): ReadonlySet<SqlText> {
  const part = config?.parts.findLast(({ base }) => base <= offset);
  const ctes = config?.ctes.filter((placed) => placed.part === part).map(({ cte }) => cte.query) ?? [];
  const definitions = config?.definitions.filter((placed) => placed.part === part) ?? [];
  const at = offset - (part?.base ?? 0);
  return new Set(
    [...ctes, ...definitions.flatMap(({ definition }) => textsOf(definition))].filter(
      ({ span }) => span.start <= at && at <= span.end,
    ),
  );
}

/** Returns the tables that all other SQL texts of a file read. */
function readElsewhere(analysis: SqlContext['analysis'], without: ReadonlySet<SqlText>): ReadonlySet<string> {
  const read = new Set<string>();
  for (const run of textRunsOf(analysis)) {
    const isOwn = without.size > 0 && run.some((text) => without.has(text));
    const names = isOwn ? namesOfSources(run.filter((text) => !without.has(text))) : namesRead(run);
    for (const name of names) read.add(name);
  }
  return read;
}

const namesRead = oncePer((run: TextRun) => namesOfSources(run));

function namesOfSources(texts: TextRun): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => textFactsOf(text).sources.map(({ name }) => name)));
}

const furthest = 4;

/** Compares table names with the name of a stream: a stream `my_tasks` is about `tasks`. */
function fitsOfName(owner: string): (table: NamedTable) => number {
  if (owner === '') return () => furthest;
  const [key, ofOwner] = [keyNameOf(owner), wordsOf(keyNameOf(owner))];
  return (table) => {
    const name = keyOfTable(table);
    // The names differ at most in number and case, such as `boat` and `Boats`.
    if (name.key === key) return 0;
    if (isWithin(name.words, ofOwner)) return 1 + 1 / (1 + name.words.length);
    return isWithin(ofOwner, name.words) ? 2 : furthest;
  };
}

const keyOfTable = oncePer(({ name }: NamedTable) => {
  const key = keyNameOf(name);
  return { key, words: wordsOf(key) };
});

function wordsOf(key: string): readonly string[] {
  return key.replace(/_id$/, '').split(/[_-]+/);
}

function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return ` ${outer.join(' ')} `.includes(` ${inner.join(' ')} `);
}
