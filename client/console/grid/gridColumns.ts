/** The columns of rows in JSON, and their widths. */
import { type RowField, readRowFields } from '../../api/rowFields.ts';
import { absentCell, type GridCell, shownText } from './cells.ts';

interface GridRow {
  readonly data: string;
  /** The shortened columns, with their full number of characters. */
  readonly cut?: ReadonlyMap<string, number> | undefined;
  /** The columns with bytes, each with the number of bytes. */
  readonly bytes?: ReadonlyMap<string, number> | undefined;
}

export interface GridColumn {
  readonly name: string;
  /** The width in pixels. */
  readonly width: number;
}

const read = new WeakMap<GridRow, ReadonlyMap<string, GridCell>>();

/** Reads the cells of a row. Each row is read only once, when it is drawn. */
function cellsOf(row: GridRow): ReadonlyMap<string, GridCell> {
  const known = read.get(row);
  if (known !== undefined) return known;
  const cells = new Map<string, GridCell>();
  for (const { name, kind, text } of fieldsOf(row)) {
    const length = row.cut?.get(name);
    cells.set(name, length === undefined ? { kind, text } : { kind, text, length });
  }
  for (const [name, length] of row.bytes ?? []) cells.set(name, { kind: 'bytes', text: '', length });
  read.set(row, cells);
  return cells;
}

/** Reads the columns of a row. A row that is not a JSON object has one column. */
function fieldsOf({ data }: GridRow): readonly RowField[] {
  return readRowFields(data) ?? [{ name: 'data', kind: 'text', text: data }];
}

export function cellIn(row: GridRow, column: string): GridCell {
  return cellsOf(row).get(column) ?? absentCell;
}

/** The number of rows that determine the columns. */
export const columnSample = 60;
/**
 * Widths in pixels: of a letter, of the space around a value, and the limits for a column. An id can be narrow, because its
 * beginning is enough to recognise it.
 */
const sizes = { letter: 7.6, around: 26, narrowest: 64, widest: 340, widestId: 150 };

/** Returns the columns in the order in which they occur in rows, with the id first. */
export function gridColumnsOf(rows: readonly GridRow[]): readonly GridColumn[] {
  const widths = new Map<string, number>();
  for (const row of rows.slice(0, columnSample))
    for (const [name, cell] of cellsOf(row)) {
      const letters = Math.max(widths.get(name) ?? name.length, shownText(cell).length);
      widths.set(name, letters);
    }
  const names = [...widths.keys()];
  const ordered = [...names.filter((name) => name === 'id'), ...names.filter((name) => name !== 'id')];
  return ordered.map((name) => {
    const width = widthOf(widths.get(name) ?? 0);
    return { name, width: name === 'id' ? Math.min(width, sizes.widestId) : width };
  });
}

export function widthOf(letters: number): number {
  return Math.round(Math.min(sizes.widest, Math.max(sizes.narrowest, letters * sizes.letter + sizes.around)));
}
