/**
 * Statements for the rows of a table, one page at a time. Each value is in PostgreSQL's text format, so that it can be written
 * back.
 */
import type { OwnTable } from './ownTables.ts';

export interface RowOrder {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

export interface RowsWanted {
  readonly table: OwnTable;
  /** The text to search for in the rows. */
  readonly search: string;
  readonly order: RowOrder | undefined;
}

/** The maximum number of rows on a page, and of characters that are read of a value. */
export const most = { rows: 200, characters: 2_000 };

/** Returns a statement with one argument, the text. */
export function countStatement({ table, search }: RowsWanted): string {
  return `SELECT count(*) FROM ONLY ${tableText(table)} AS t${whereText(search)}`;
}

/** Returns a statement with one argument, the text. Each column is a string that may be cut; the lengths follow them. */
export function pageStatement({ table, search, order }: RowsWanted, page: number): string {
  const names = table.columns.map(({ name }) => `t.${inQuotes(name)}::text`);
  const texts = names.map((name) => `left(${name}, ${most.characters})`);
  const lengths = names.map((name) => `length(${name})`);
  return `SELECT ${[...texts, ...lengths].join(', ')} FROM ONLY ${tableText(table)} AS t${whereText(search)}
ORDER BY ${orderText(table, order)} LIMIT ${most.rows} OFFSET ${page * most.rows}`;
}

/** Returns the arguments of a statement. The text is empty if there is no search. */
export function searchArguments({ search }: RowsWanted): readonly string[] {
  return search === '' ? [] : [search];
}

function whereText(search: string): string {
  return search === '' ? '' : ' WHERE strpos(lower(ROW(t.*)::text), lower($1::text)) > 0';
}

/** Returns the order. It ends with the key, so that no row is on two pages. */
function orderText({ columns }: OwnTable, order: RowOrder | undefined): string {
  const keys = columns.filter(({ isKey, name }) => isKey && name !== order?.column);
  const first = order
    ? [
        `t.${inQuotes(order.column)} ${order.direction === 'descending' ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`,
      ]
    : [];
  const others = keys.length > 0 ? keys.map(({ name }) => `t.${inQuotes(name)}`) : ['t.ctid'];
  return [...first, ...others].join(', ');
}

function tableText({ schema, name }: OwnTable): string {
  return `${inQuotes(schema)}.${inQuotes(name)}`;
}

export function inQuotes(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A row as it was read. */
export interface DataRow {
  readonly values: ReadonlyMap<string, string | null>;
  /** The columns of which only the beginning was read, with their full number of characters. */
  readonly cut: ReadonlyMap<string, number>;
}

export function readDataRow({ columns }: OwnTable, cells: readonly unknown[]): DataRow {
  const values = new Map<string, string | null>();
  const cut = new Map<string, number>();
  for (const [index, { name }] of columns.entries()) {
    const value = cells[index];
    values.set(name, value === null || value === undefined ? null : String(value));
    const length = Number(cells[columns.length + index] ?? 0);
    if (length > most.characters) cut.set(name, length);
  }
  return { values, cut };
}

/** Returns the key of a row. Undefined if the row cannot be identified. */
export function keyOf(
  { columns }: OwnTable,
  { values, cut }: DataRow,
): Readonly<Record<string, string>> | undefined {
  const keys = columns.filter(({ isKey }) => isKey);
  if (keys.length === 0 || keys.some(({ name }) => cut.has(name))) return undefined;
  return Object.fromEntries(keys.map(({ name }) => [name, values.get(name) ?? '']));
}
