/** Converts the texts of columns to rows. */
import type { Row } from '../../../engine/plan/evaluate/scope.ts';
import { keepExactText } from '../../../engine/plan/values/exactTexts.ts';
import {
  type Convert,
  toLossCheck,
  type ValueOptions,
} from '../../../engine/plan/values/postgres/convert.ts';
import { UnreadableText } from '../../../engine/plan/values/postgres/texts.ts';
import type { Types } from '../../../engine/plan/values/postgres/types.ts';
import type { SqlValue } from '../../../engine/plan/values/value.ts';
import { toFastConverter } from './fastConverter.ts';

export interface ColumnShape {
  readonly name: string;
  /** The oid of the type. */
  readonly type: number;
  readonly isKey: boolean;
}

export interface Column extends ColumnShape {
  readonly convert: Convert;
  /** Checks whether a text identifies its row better than the value. Absent if the value always does. */
  readonly isLossy?: ((text: string) => boolean) | undefined;
}

/** The maximum size of a row as text, in bytes. */
export const mostBytes = 15 * 1024 * 1024;

export function toColumns(shapes: readonly ColumnShape[], types: Types, options: ValueOptions): Column[] {
  return shapes.map((shape) => ({
    ...shape,
    convert: toFastConverter(shape.type, types, options),
    isLossy: shape.isKey ? toLossCheck(shape.type, types, options) : undefined,
  }));
}

/**
 * A prototype without properties, so that a column may have any name. Unlike an object of `Object.create(null)`, one with this
 * prototype stays fast in V8.
 */
const nothing = Object.freeze(Object.create(null));

export function newRow(): Record<string, SqlValue> {
  return Object.create(nothing);
}

/** A value as text; undefined if the source did not send it. */
export type Field = string | null | undefined;

type RowResult =
  | { readonly kind: 'row'; readonly row: Row }
  /** The row contains only the identity columns. */
  | { readonly kind: 'failure'; readonly row: Row; readonly message: string };

export function toRow(columns: readonly Column[], fields: readonly Field[]): RowResult {
  const row = newRow();
  for (let at = 0; at < columns.length; at += 1) {
    const column = columns[at] as Column;
    const field = fields[at];
    if (field === undefined) continue;
    try {
      setValue(row, column, field);
    } catch (error) {
      if (!(error instanceof UnreadableText)) throw error;
      const message = `The value of column "${column.name}" cannot be converted: it ${error.message}`;
      return { kind: 'failure', row: toKeyRow(columns, fields), message };
    }
  }
  return { kind: 'row', row };
}

/** Adds a converted value to a row. Throws {@link UnreadableText}. */
export function setValue(
  row: Record<string, SqlValue>,
  { name, convert, isLossy }: Column,
  field: string | null,
): void {
  row[name] = field === null ? null : convert(field);
  if (isLossy !== undefined && field !== null && isLossy(field)) keepExactText(row, name, field);
}

/** Returns the identity columns. A value that cannot be converted stays text, because it still identifies the row. */
export function toKeyRow(columns: readonly Column[], fields: readonly Field[]): Row {
  const row = newRow();
  for (const [at, column] of columns.entries()) {
    const field = fields[at];
    if (!column.isKey || field === undefined) continue;
    try {
      setValue(row, column, field);
    } catch (error) {
      if (!(error instanceof UnreadableText)) throw error;
      row[column.name] = field;
    }
  }
  return row;
}

export function tooLarge(bytes: number): string {
  return `[SVC_S1002] The row is too large: ${bytes} bytes, and at most ${mostBytes} (15 MB) can be synced`;
}
