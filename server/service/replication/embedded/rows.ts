/** From a row's text to the values that are synced. */
import type { SqlValue } from '../../../engine/plan/values/value.ts';
import type { Types } from '../postgres/types.ts';
import { toConverter, type ValueOptions } from '../postgres/values/convert.ts';
import { readFields } from '../postgres/values/texts.ts';
import type { ChangedRow } from '../source.ts';
import type { Description } from './tables.ts';

export type RowReader = (text: string) => ChangedRow;

/** The types of the columns must have been loaded. */
export function toRowReader({ columns }: Description, types: Types, options: ValueOptions): RowReader {
  const readers = columns.map(({ name, oid }) => ({ name, convert: toConverter(oid, types, options) }));
  return (text) => {
    const fields = readFields(text);
    const values: Record<string, SqlValue> = Object.create(null);
    let failure: string | undefined;
    for (const [index, { name, convert }] of readers.entries()) {
      const field = fields[index] ?? null;
      try {
        values[name] = field === null ? null : convert(field);
      } catch (error) {
        failure ??= `Column "${name}": ${(error as Error).message}`;
        values[name] = null;
      }
    }
    return failure === undefined ? { values } : { values, failure };
  };
}
