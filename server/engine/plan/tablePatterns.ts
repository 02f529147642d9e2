/** Resolves the tables and the connection to which a pattern refers. */
import { oncePer } from '../ground/oncePer.ts';
import type { Catalog, CatalogTable, RowlessForm } from '../model/catalog.ts';
import type { TableSource } from '../sql/ast.ts';
import { nearest } from '../text/nearest.ts';
import type { Span } from '../text/span.ts';
import type { NamePattern, TablePattern } from './plan.ts';

export type KnownTables = ReadonlyMap<string, ReadonlyMap<string, CatalogTable>>;

export const defaultTag = 'default';

/** Indexes the tables of one connection by schema and name. Streams of edition 3 read only the default connection. */
export function indexTables(catalog: Catalog, tag = defaultTag): KnownTables {
  return tablesByTag(catalog).get(tag) ?? new Map();
}

const tablesByTag = oncePer((catalog: Catalog): ReadonlyMap<string, KnownTables> => {
  const byTag = new Map<string, Map<string, Map<string, CatalogTable>>>();
  for (const table of catalog.tables) {
    const schemas = byTag.get(table.tag) ?? new Map<string, Map<string, CatalogTable>>();
    const schema = schemas.get(table.schema) ?? new Map<string, CatalogTable>();
    byTag.set(table.tag, schemas.set(table.schema, schema.set(table.name, table)));
  }
  return byTag;
});

/** Returns a pattern. A name that ends with `%` matches all names with this prefix. */
export function namePattern(text: string): NamePattern {
  return text.endsWith('%') ? { text: text.slice(0, -1), wildcard: true } : { text, wildcard: false };
}

/** Returns the name of the table as a query writes it: `lists`, `app.lists` or `todos_%`. */
export function nameOfPattern({ schema, name }: TablePattern): string {
  const written = name.wildcard ? `${name.text}%` : name.text;
  return schema.text === 'public' && !schema.wildcard ? written : `${schema.text}.${written}`;
}

/** Returns the name of the table as this query writes it, such as `app.lists`. */
export function writtenName({ schema, name }: TableSource): string {
  return schema ? `${schema.text}.${name.text}` : name.text;
}

/** Returns the span to mark if the table does not exist. */
export function tableSpan({ nameSpan, alias }: TableSource): Span {
  return { start: nameSpan.start, end: alias?.as ? alias.name.span.end : nameSpan.end };
}

function matches({ text, wildcard }: NamePattern, name: string): boolean {
  return wildcard ? name.startsWith(text) : name === text;
}

export function matchingTables(known: KnownTables, { schema, name }: TablePattern): CatalogTable[] {
  return matchingEntries(known, schema).flatMap((tables) => matchingEntries(tables, name));
}

/** Returns why no row of the matching tables is replicated; undefined if some rows are, or if no table matches. */
export function rowlessForm(matching: readonly CatalogTable[]): RowlessForm | undefined {
  const [first] = matching;
  return matching.every(({ form }) => form !== undefined) ? first?.form : undefined;
}

/** Returns the tables that a pattern of a plan matches; none without a catalog. */
export function knownTables(catalog: Catalog | undefined, pattern: TablePattern): readonly CatalogTable[] {
  const known = catalog ? matchingTables(indexTables(catalog, pattern.tag), pattern) : [];
  return areFullyKnown(known) ? known : [];
}

/** Whether all columns are known, so that any other column does not exist. */
export function areFullyKnown(tables: readonly CatalogTable[]): boolean {
  return tables.length > 0 && !tables.some(({ open }) => open);
}

/** Returns the entries whose names match the pattern. */
export function matchingEntries<T>(entries: ReadonlyMap<string, T>, pattern: NamePattern): T[] {
  if (pattern.wildcard)
    return [...entries].filter(([name]) => matches(pattern, name)).map(([, entry]) => entry);
  const entry = entries.get(pattern.text);
  return entry === undefined ? [] : [entry];
}

/**
 * Returns the table with the most similar name. Normally, all tables are in one schema, whose names are sorted only once even if
 * many tables are unknown.
 */
export function nearestTable(
  schemas: readonly ReadonlyMap<string, CatalogTable>[],
  name: string,
): string | undefined {
  const [only] = schemas;
  if (only !== undefined && schemas.length === 1) return nearest(name, only);
  return nearest(
    name,
    schemas.flatMap((tables) => [...tables.keys()]),
  );
}
