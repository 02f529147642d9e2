/**
 * The values of sync queries and how the host represents them: the classes of SQLite.
 *
 * | Class   | Host         |                                                                          |
 * |---------|--------------|--------------------------------------------------------------------------|
 * | NULL    | `null`       | also a missing column of a row                                           |
 * | INTEGER | `bigint`     | of any size; true and false are 1 and 0                                  |
 * | REAL    | `number`     | an integral one stays REAL: 1.0 is written differently from 1            |
 * | TEXT    | `string`     | also JSON, arrays, dates, UUIDs and decimals                             |
 * | BLOB    | `Uint8Array` | usable in expressions, never synced, never a key                         |
 */
export type SqlValue = null | bigint | number | string | Uint8Array;

export const sqlTrue = 1n;
export const sqlFalse = 0n;

export function fromBoolean(value: boolean): bigint {
  return value ? sqlTrue : sqlFalse;
}

type ValueClass = 'null' | 'integer' | 'real' | 'text' | 'blob';

export function classOf(value: SqlValue): ValueClass {
  switch (typeof value) {
    case 'bigint':
      return 'integer';
    case 'number':
      return 'real';
    case 'string':
      return 'text';
    default:
      return value === null ? 'null' : 'blob';
  }
}
