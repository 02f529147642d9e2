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
 * Reads lines such as `create table audit.events (id uuid, owner_id text, done)`. If a column has no type, only its name is known;
 * a column with a type can be NULL unless it is `not null` or `primary key`. A tag is written before the schema:
 * `other.public.tasks`. A foreign key is written as `list_id text references lists`, and an enum as
 * `create type state as enum ('open', 'done')` on a line of its own.
 */
export function readCatalog(text: string): Catalog {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const enums = new Map(lines.flatMap((line) => (isEnum.test(line) ? [readEnum(line)] : [])));
  const tables = lines.filter((line) => !isEnum.test(line)).map((line) => readTable(line, enums));
  return { version: text, tables };
}

type Enums = ReadonlyMap<string, readonly string[]>;

const isEnum = /^create type (?<name>\w+) as enum/i;

function readEnum(line: string): [string, readonly string[]] {
  const values = [...line.matchAll(/'([^']*)'/g)].map(([, value = '']) => value);
  return [isEnum.exec(line)?.groups?.name ?? '', values];
}

function readTable(line: string, enums: Enums): CatalogTable {
  const match = /^create table (?<name>[^(]+?)\s*\((?<columns>.*)\);?$/i.exec(line)?.groups;
  if (match === undefined) throw new Error(`Not a create table line: ${line}`);
  const [name = '', schema = 'public', tag = 'default'] = (match.name ?? '').split('.').reverse();
  const columns = (match.columns ?? '').split(',').filter((column) => column.trim() !== '');
  return {
    tag,
    schema,
    name,
    columns: new Map(columns.map((column) => named(readColumn(column.trim(), enums)))),
  };
}

function readColumn(column: string, enums: Enums): CatalogColumn {
  const [name = '', sourceType] = column.split(/\s+/);
  if (sourceType === undefined) return { name };
  const values = enums.get(sourceType);
  const type = values ? 'text' : classOf[sourceType.toLowerCase()];
  if (type === undefined) throw new Error(`No class is known for the type ${sourceType}`);
  const nullable = !/ (not null|primary key)\b/i.test(column);
  const table = / references (?<table>\w+)/i.exec(column)?.groups?.table;
  const references = table === undefined ? undefined : { schema: 'public', table };
  return {
    name,
    type,
    sourceType,
    nullable,
    ...(values && { values }),
    ...(references && { references }),
  };
}

function named(column: CatalogColumn): [string, CatalogColumn] {
  return [column.name, column];
}
