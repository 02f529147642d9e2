/** A catalog that was read from outside, with other facts about the source. */
import type { Catalog, CatalogColumn, CatalogTable, ColumnReference, ColumnType } from '../model/catalog.ts';
import { versionOf } from '../model/version.ts';

export interface KnownSource {
  readonly catalog: Catalog;
  /** The schema of unqualified table names. */
  readonly defaultSchema: string;
}

export function sourceOf(tables: readonly CatalogTable[], defaultSchema: unknown): KnownSource {
  const schema = typeof defaultSchema === 'string' && defaultSchema !== '' ? defaultSchema : 'public';
  return { catalog: { version: versionOf(tables), tables }, defaultSchema: schema };
}

/** Indexes columns by name. If a name occurs twice, the first column counts. */
export function columnsByName(columns: readonly CatalogColumn[]): ReadonlyMap<string, CatalogColumn> {
  const named = new Map<string, CatalogColumn>();
  for (const column of columns) if (!named.has(column.name)) named.set(column.name, column);
  return named;
}

/** Returns a property of any value; undefined if the value is not an object with this property. */
export function property(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isObject ? (value as Record<string, unknown>)[key] : undefined;
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is a text that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

interface ColumnFacts {
  readonly type: ColumnType | undefined;
  readonly sourceType: string | undefined;
}

/** Returns the column with its name and foreign key, which all formats write alike, and these facts. Without a name there is none. */
export function readColumnWith(value: unknown, { type, sourceType }: ColumnFacts): CatalogColumn[] {
  const name = text(property(value, 'name'));
  if (name === undefined) return [];
  const references = foreignKeyOf(value);
  return [
    {
      name,
      ...(type && { type }),
      ...(sourceType !== undefined && { sourceType }),
      ...(references && { references }),
    },
  ];
}

function foreignKeyOf(column: unknown): ColumnReference | undefined {
  const value = property(column, 'references');
  const schema = text(property(value, 'schema'));
  const table = text(property(value, 'table'));
  const name = text(property(value, 'column'));
  const onDelete = onDeleteOf(value);
  return schema && table && name ? { schema, table, column: name, ...(onDelete && { onDelete }) } : undefined;
}

/** Returns the effect of a deleted row on the rows that refer to it, if it is reported. */
export function onDeleteOf(reference: unknown): ColumnReference['onDelete'] {
  const written = property(reference, 'on_delete');
  return (['cascade', 'set null', 'set default', 'refuse'] as const).find((each) => each === written);
}
