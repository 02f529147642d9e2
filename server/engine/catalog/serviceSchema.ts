/** Reads the answer of a service that is asked for the schema of its source (`POST /api/admin/v1/schema`). */
import { readDefaultText } from '../ddl/constraints.ts';
import {
  type CatalogColumn,
  type CatalogTable,
  type ColumnType,
  type CompositeKey,
  rowlessForms,
  type TableTrigger,
  triggerEvents,
} from '../model/catalog.ts';
import {
  columnsByName,
  items,
  type KnownSource,
  onDeleteOf,
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
  const keys = items(property(value, 'foreign_keys')).flatMap(readKey);
  const triggers = items(property(value, 'triggers')).flatMap(readTrigger);
  return [
    {
      tag,
      schema,
      name,
      columns: columnsByName(columns),
      ...(rowSecurity && { rowSecurity }),
      ...(!Array.isArray(property(value, 'triggers')) && { areRulesUnknown: true as const }),
      ...(keys.length > 0 && { keys }),
      ...(triggers.length > 0 && { triggers }),
      ...(form && { form }),
    },
  ];
}

function readColumn(value: unknown): CatalogColumn[] {
  const type = classes.get(property(value, 'sqlite_type'));
  const sourceType = text(property(value, 'internal_type')) ?? text(property(value, 'type'));
  const nullable = property(value, 'nullable');
  const values = textsIn(property(value, 'values'));
  const expression = text(property(value, 'default'));
  const filled =
    property(value, 'computed') === true
      ? { default: 'computed' as const }
      : expression !== undefined && readDefaultText(expression);
  return readColumnWith(value, { type, sourceType }).map((column) => ({
    ...column,
    ...(typeof nullable === 'boolean' && { nullable }),
    ...filled,
    ...(values.length > 0 && { values }),
  }));
}

function readKey(value: unknown): CompositeKey[] {
  const [schema, table] = [text(property(value, 'schema')), text(property(value, 'table'))];
  const columns = textsIn(property(value, 'columns'));
  const parentColumns = textsIn(property(value, 'parent_columns'));
  const onDelete = onDeleteOf(value);
  return schema && table && onDelete && columns.length === parentColumns.length
    ? [{ columns, schema, table, parentColumns, onDelete }]
    : [];
}

/** Reads a trigger, whose function may do anything. */
function readTrigger(value: unknown): TableTrigger[] {
  const name = text(property(value, 'name'));
  const named = textsIn(property(value, 'events'));
  const events = triggerEvents.filter((event) => named.includes(event));
  const fills = property(value, 'before') === true ? 'any' : [];
  return name === undefined ? [] : [{ name, events, fills, writes: 'any', mayRefuse: true }];
}

function textsIn(value: unknown): readonly string[] {
  return items(value).filter((each) => typeof each === 'string');
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
