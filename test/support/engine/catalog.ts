import type {
  Catalog,
  CatalogColumn,
  CatalogTable,
  ColumnType,
} from '../../../server/engine/model/catalog.ts';

/** The class in which a value of a source type is synced. */
const classOf: Record<string, ColumnType> = {
  text: 'text',
  varchar: 'text',
  uuid: 'text',
  json: 'text',
  jsonb: 'text',
  numeric: 'text',
  date: 'text',
  timestamp: 'text',
  timestamptz: 'text',
  integer: 'integer',
  int: 'integer',
  bigint: 'integer',
  boolean: 'integer',
  real: 'real',
  float: 'real',
  bytea: 'blob',
  blob: 'blob',
};

/**
 * Reads lines such as `create table audit.events (id uuid, owner_id text, done)`: a column without a type is
 * known by name only; one with a type can be NULL, unless it is `not null` or `primary key`. A tag goes before the
 * schema: `other.public.tasks`.
 */
export function readCatalog(text: string): Catalog {
  const tables = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(readTable);
  return { version: text, tables };
}

function readTable(line: string): CatalogTable {
  const match = /^create table (?<name>[^(]+?)\s*\((?<columns>.*)\);?$/i.exec(line)?.groups;
  if (match === undefined) throw new Error(`Not a create table line: ${line}`);
  const [name = '', schema = 'public', tag = 'default'] = (match.name ?? '').split('.').reverse();
  const columns = (match.columns ?? '').split(',').filter((column) => column.trim() !== '');
  return { tag, schema, name, columns: new Map(columns.map((column) => named(readColumn(column.trim())))) };
}

function readColumn(column: string): CatalogColumn {
  const [name = '', sourceType] = column.split(/\s+/);
  if (sourceType === undefined) return { name };
  const type = classOf[sourceType.toLowerCase()];
  if (type === undefined) throw new Error(`No class is known for the type ${sourceType}`);
  return { name, type, sourceType, nullable: !/ (not null|primary key)\b/i.test(column) };
}

function named(column: CatalogColumn): [string, CatalogColumn] {
  return [column.name, column];
}
