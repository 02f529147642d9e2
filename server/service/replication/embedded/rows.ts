/** Converts the texts of rows to synced values. */

import type { ValueOptions } from '../../../engine/plan/values/postgres/convert.ts';
import { readFields } from '../../../engine/plan/values/postgres/texts.ts';
import { readTypes } from '../../../engine/plan/values/postgres/types.ts';
import { readCopyLine } from '../postgres/copyText.ts';
import { type Column, mostBytes, newRow, setValue, toColumns, tooLarge } from '../postgres/rows.ts';
import type { ChangedRow } from '../source.ts';
import type { Description } from './tables.ts';

export interface RowReader {
  /** Converts a row that PostgreSQL has written as one composite value, as triggers do. */
  ofRow(text: string): ChangedRow;
  /** Converts a line of `COPY`, whose additional columns are ignored. */
  ofLine(line: string): ChangedRow;
}

export function toRowReader(
  { columns, types: rows, identity, identityKind }: Description,
  options: ValueOptions,
): RowReader {
  const types = readTypes(rows);
  const isWhole = identityKind === 'f' || identity.length === 0;
  const isKey = (name: string) => isWhole || identity.some((each) => each.name === name);
  const readers = toColumns(
    columns.map(({ name, oid }) => ({ name, type: oid, isKey: isKey(name) })),
    types,
    options,
  );
  const read = (text: string, fields: readonly (string | null)[]): ChangedRow => {
    const values = newRow();
    let failure = failureOfSize(text);
    for (let at = 0; at < readers.length; at += 1) {
      const column = readers[at] as Column;
      try {
        setValue(values, column, fields[at] ?? null);
      } catch (error) {
        failure ??= `The value of column "${column.name}" cannot be converted: it ${(error as Error).message}`;
        values[column.name] = null;
      }
    }
    return failure === undefined ? { values } : { values, failure };
  };
  return {
    ofRow: (text) => read(text, readFields(text)),
    ofLine: (line) => read(line, readCopyLine(line)),
  };
}

/** Returns the problem of a too long text. A UTF-16 unit takes at most 3 bytes, so short texts need not be measured. */
function failureOfSize(text: string): string | undefined {
  if (text.length * 3 <= mostBytes) return undefined;
  const bytes = Buffer.byteLength(text);
  return bytes > mostBytes ? tooLarge(bytes) : undefined;
}
