/** Reads and writes schema snapshots: JSON files that `schemas/catalog.schema.json` describes. */
import { type CatalogColumn, type CatalogTable, type ColumnType, isReplicated } from '../model/catalog.ts';
import { compareTexts } from '../text/order.ts';
import {
  columnsByName,
  items,
  type KnownSource,
  property,
  readColumnWith,
  sourceOf,
  text,
} from './reading.ts';

/** Returns undefined if the text is not a snapshot. Unreadable tables and columns are left out. */
export function readSnapshot(json: string): KnownSource | undefined {
  const value = parse(json);
  const tables = property(value, 'tables');
  if (!Array.isArray(tables)) return undefined;
  return sourceOf(tables.flatMap(readTable), property(value, 'defaultSchema'));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function readTable(value: unknown): CatalogTable[] {
  const name = text(property(value, 'name'));
  if (name === undefined) return [];
  const columns = property(value, 'columns');
  return [
    {
      tag: text(property(value, 'tag')) ?? 'default',
      schema: text(property(value, 'schema')) ?? 'public',
      name,
      columns: columnsByName(items(columns).flatMap(readColumn)),
      areRulesUnknown: true as const,
      ...(!Array.isArray(columns) && { open: true }),
    },
  ];
}

const types: readonly ColumnType[] = ['text', 'integer', 'real', 'blob'];

function readColumn(value: unknown): CatalogColumn[] {
  const type = types.find((known) => known === property(value, 'type'));
  const sourceType = text(property(value, 'sourceType'));
  return readColumnWith(value, { type, sourceType });
}

/** Writes the replicated tables sorted by name, so that equal tables produce equal files. */
export function writeSnapshot({ catalog, defaultSchema }: KnownSource, takenAt: string): string {
  const keyOf = ({ tag, schema, name }: CatalogTable) => JSON.stringify([tag, schema, name]);
  const tables = catalog.tables
    .filter(isReplicated)
    .toSorted((a, b) => compareTexts(keyOf(a), keyOf(b)))
    .map(({ tag, schema, name, columns }) => ({
      tag,
      schema,
      name,
      columns: [...columns.values()].map(({ name: column, type, sourceType, references }) => ({
        name: column,
        type,
        sourceType,
        references,
      })),
    }));
  return `${JSON.stringify({ takenAt, defaultSchema, tables }, null, 2)}\n`;
}
