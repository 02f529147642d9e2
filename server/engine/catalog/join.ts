/** Joins two descriptions of the same database: a snapshot or a service's answer, and SQL files that are newer. */
import { append } from '../ground/append.ts';
import type { CatalogColumn, CatalogTable } from '../model/catalog.ts';
import { type KnownSource, sourceOf } from './reading.ts';

interface JoinedSource {
  readonly source: KnownSource;
  /** The tables and columns that are only in the files, such as `todos` and `todos.done`. */
  readonly added: readonly string[];
}

/** Joins the known source with further tables and columns that the files create. */
export function joinSources(asked: KnownSource, files: KnownSource): JoinedSource {
  const added: string[] = [];
  const made = byName(files);
  const known = new Set(asked.catalog.tables.map(keyOf));
  const tables = asked.catalog.tables.map((table) => {
    const columns = newColumns(table, made.get(keyOf(table)));
    append(
      added,
      columns.map(({ name }) => `${table.name}.${name}`),
    );
    if (columns.length === 0) return table;
    return {
      ...table,
      columns: new Map([...table.columns, ...columns.map((each) => [each.name, each] as const)]),
    };
  });
  const others = [...made].filter(([key]) => !known.has(key)).map(([, table]) => table);
  append(
    added,
    others.map(({ name }) => name),
  );
  return added.length === 0
    ? { source: asked, added }
    : { source: sourceOf([...tables, ...others], asked.defaultSchema), added };
}

/** Adds the row-level security from the files, because services do not report it. */
export function withRowSecurity(asked: KnownSource, files: KnownSource): KnownSource {
  const made = byName(files);
  const isNew = (table: CatalogTable) =>
    table.rowSecurity === undefined && made.get(keyOf(table))?.rowSecurity === true;
  if (!asked.catalog.tables.some(isNew)) return asked;
  const tables = asked.catalog.tables.map((table) =>
    isNew(table) ? { ...table, rowSecurity: true } : table,
  );
  return sourceOf(tables, asked.defaultSchema);
}

/** Replaces triggers whose functions the files contain, because a database does not report what they do. */
export function withTriggers(asked: KnownSource, files: KnownSource): KnownSource {
  const made = byName(files);
  const tables = asked.catalog.tables.map((table) => {
    const read = made.get(keyOf(table))?.triggers ?? [];
    if (table.triggers === undefined || read.length === 0) return table;
    const triggers = table.triggers.map((each) => read.find(({ name }) => name === each.name) ?? each);
    return { ...table, triggers };
  });
  return sourceOf(tables, asked.defaultSchema);
}

function byName({ catalog }: KnownSource): ReadonlyMap<string, CatalogTable> {
  return new Map(catalog.tables.map((table) => [keyOf(table), table]));
}

function keyOf({ schema, name }: CatalogTable): string {
  return JSON.stringify([schema, name]);
}

function newColumns(table: CatalogTable, made: CatalogTable | undefined): readonly CatalogColumn[] {
  if (made === undefined || table.open === true) return [];
  return [...made.columns.values()].filter(({ name }) => !table.columns.has(name));
}
