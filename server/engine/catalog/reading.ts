/** A catalog from outside, with everything else that is known of the source. */
import type { Catalog, CatalogColumn, CatalogTable } from '../model/catalog.ts';
import { versionOf } from '../model/version.ts';

export interface KnownSource {
  readonly catalog: Catalog;
  /** The schema of tables that a query names without one. */
  readonly defaultSchema: string;
}

export function sourceOf(tables: readonly CatalogTable[], defaultSchema: unknown): KnownSource {
  const schema = typeof defaultSchema === 'string' && defaultSchema !== '' ? defaultSchema : 'public';
  return { catalog: { version: versionOf(tables), tables }, defaultSchema: schema };
}

/** The first column of a name counts. */
export function columnsByName(columns: readonly CatalogColumn[]): ReadonlyMap<string, CatalogColumn> {
  const named = new Map<string, CatalogColumn>();
  for (const column of columns) if (!named.has(column.name)) named.set(column.name, column);
  return named;
}

/** A property of whatever came, if that is an object that has it. */
export function property(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isObject ? (value as Record<string, unknown>)[key] : undefined;
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
