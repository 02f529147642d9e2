/** Reads the answer of a service that is asked for the schema of its source (`POST /api/admin/v1/schema`). */
import { type CatalogColumn, type CatalogTable, type ColumnType, rowlessForms } from '../model/catalog.ts';
import {
  columnsByName,
  items,
  type KnownSource,
  property,
  readColumnWith,
  sourceOf,
  text,
} from './reading.ts';

/** Reads the whole answer, or the value of its `data`. Returns undefined for anything else. */
export function readServiceSchema(answer: unknown): KnownSource | undefined {
  const data = property(answer, 'data') ?? answer;
  const connections = property(data, 'connections');
  if (!Array.isArray(connections)) return undefined;
  return sourceOf(connections.flatMap(readConnection), property(data, 'defaultSchema'));
}

function readConnection(value: unknown): CatalogTable[] {
  const tag = text(property(value, 'tag')) ?? 'default';
  return items(property(value, 'schemas')).flatMap((schema) => {
    const name = text(property(schema, 'name'));
    if (name === undefined) return [];
    return ['tables', 'not_replicated'].flatMap((list) =>
      items(property(schema, list)).flatMap((table) => readTable(tag, name, table)),
    );
  });
}

function readTable(tag: string, schema: string, value: unknown): CatalogTable[] {
  const name = text(property(value, 'name'));
  if (name === undefined) return [];
  const columns = items(property(value, 'columns')).flatMap(readColumn);
  const rowSecurity = property(value, 'row_security') === true;
  const form = rowlessForms.find((each) => each === property(value, 'form'));
  return [
    {
      tag,
      schema,
      name,
      columns: columnsByName(columns),
      ...(rowSecurity && { rowSecurity }),
      ...(form && { form }),
    },
  ];
}

function readColumn(value: unknown): CatalogColumn[] {
  const type = classes.get(property(value, 'sqlite_type'));
  const sourceType = text(property(value, 'internal_type')) ?? text(property(value, 'type'));
  return readColumnWith(value, { type, sourceType });
}

/**
 * The column types by the flags of a service, or by type names in lower case. A type that may belong to several classes counts as
 * unknown.
 */
const classes: ReadonlyMap<unknown, ColumnType> = new Map<unknown, ColumnType>([
  [1, 'blob'],
  [2, 'text'],
  [4, 'integer'],
  [8, 'real'],
  ['blob', 'blob'],
  ['text', 'text'],
  ['integer', 'integer'],
  ['real', 'real'],
]);
