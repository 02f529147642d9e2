/** Table names in FROM: which tables of which connection they stand for. */
import type { Catalog, CatalogTable } from '../model/catalog.ts';
import type { TableSource } from '../sql/ast.ts';
import { nearest } from '../text/nearest.ts';
import type { Compilation } from './compile/compilation.ts';
import type { CompiledText, TableRelation } from './compile/relations.ts';
import type { Place } from './compile/translate.ts';
import type { NamePattern, TablePattern } from './plan.ts';

export type KnownTables = ReadonlyMap<string, ReadonlyMap<string, CatalogTable>>;

const knownTablesOf = new WeakMap<Catalog, Map<string, KnownTables>>();

/** The tables of one connection, by schema and name. Streams of edition 3 read the default one only. */
export function indexTables(catalog: Catalog, tag = defaultTag): KnownTables {
  const byTag = knownTablesOf.get(catalog) ?? new Map<string, KnownTables>();
  knownTablesOf.set(catalog, byTag);
  const cached = byTag.get(tag);
  if (cached) return cached;
  const schemas = new Map<string, Map<string, CatalogTable>>();
  for (const table of catalog.tables) {
    if (table.tag !== tag) continue;
    const schema = schemas.get(table.schema) ?? new Map<string, CatalogTable>();
    schemas.set(table.schema, schema.set(table.name, table));
  }
  byTag.set(tag, schemas);
  return schemas;
}

const defaultTag = 'default';

/** The table of a FROM item, as a new instance. Its schema and name are checked. */
export function openTable({ c, text, buried }: Place, syntax: TableSource): TableRelation {
  const pattern = patternOf(c, text, syntax);
  const known = c.knownTables && matchingTables(c.knownTables, pattern);
  if (c.knownTables && known?.length === 0) reportUnknown(c.knownTables, text, syntax, pattern);
  return {
    kind: 'table',
    id: c.nextId++,
    name: (syntax.alias?.name ?? syntax.name).text,
    syntax,
    text,
    pattern,
    ...(known && areFullyKnown(known) && { known }),
    ...(buried && { buried }),
  };
}

function patternOf(c: Compilation, text: CompiledText, { schema, name }: TableSource): TablePattern {
  const parts = schema?.text.split('.') ?? [c.surroundings.defaultSchema];
  if (schema && parts.length > 2) text.report('invalid-schema-name', schema.span, { schema: schema.text });
  if (schema && parts.length === 2 && parts[0] !== defaultTag) {
    text.report('connection-tag-ignored', schema.span, { tag: parts[0] ?? '' });
  }
  return { tag: defaultTag, schema: namePattern(parts.at(-1) ?? ''), name: namePattern(name.text) };
}

function namePattern(text: string): NamePattern {
  return text.endsWith('%') ? { text: text.slice(0, -1), wildcard: true } : { text, wildcard: false };
}

function matches({ text, wildcard }: NamePattern, name: string): boolean {
  return wildcard ? name.startsWith(text) : name === text;
}

export function matchingTables(known: KnownTables, { schema, name }: TablePattern): CatalogTable[] {
  return matchingEntries(known, schema).flatMap((tables) => matchingEntries(tables, name));
}

/** The tables that a pattern of a plan stands for. None where nothing is known. */
export function knownTables(catalog: Catalog | undefined, pattern: TablePattern): readonly CatalogTable[] {
  const known = catalog ? matchingTables(indexTables(catalog, pattern.tag), pattern) : [];
  return areFullyKnown(known) ? known : [];
}

/** Whether a column that they do not have does not exist. */
export function areFullyKnown(tables: readonly CatalogTable[]): boolean {
  return tables.length > 0 && !tables.some(({ open }) => open);
}

export function matchingEntries<T>(entries: ReadonlyMap<string, T>, pattern: NamePattern): T[] {
  if (pattern.wildcard)
    return [...entries].filter(([name]) => matches(pattern, name)).map(([, entry]) => entry);
  const entry = entries.get(pattern.text);
  return entry === undefined ? [] : [entry];
}

function reportUnknown(
  known: KnownTables,
  text: CompiledText,
  { schema, nameSpan, name, alias }: TableSource,
  pattern: TablePattern,
): void {
  const schemas = matchingEntries(known, pattern.schema);
  const nearSchema = schemas.length === 0 ? nearest(pattern.schema.text, known) : undefined;
  if (schema && nearSchema !== undefined) {
    text.report('unknown-schema', schema.span, { schema: schema.text, near: nearSchema });
    return;
  }
  const near = nearestTable(schemas, name.text);
  const table = schema ? `${schema.text}.${name.text}` : name.text;
  const end = alias?.as ? alias.name.span.end : nameSpan.end;
  text.report(
    'unknown-table',
    { start: nameSpan.start, end },
    { table, near: near ?? elsewhere(known, name.text) },
  );
}

/** Usually there is one schema, whose names are sorted once however many tables are unknown. */
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

/** A table of that name in some schema, with the schema. */
function elsewhere(known: KnownTables, name: string): string | undefined {
  for (const [schema, tables] of known) if (tables.has(name)) return `${schema}.${name}`;
  return undefined;
}
