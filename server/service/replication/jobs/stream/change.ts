/** Converts an event of the stream to a change of a row. */
import type { Row } from '../../../../engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../../engine/plan/values/value.ts';
import type { RowChange } from '../../rows/flush.ts';
import type { ReplicatedTable } from '../../rows/tables.ts';
import type { ChangedRow, ChangeEvent } from '../../source.ts';
import type { StoredRows } from './storedRows.ts';

type RowEvent = ChangeEvent & { readonly kind: 'insert' | 'update' | 'delete' };

export function changeOf(event: RowEvent, table: ReplicatedTable, rows: StoredRows): RowChange {
  // An equal row may have been read by the copy, or may be stored from a change that is now sent again.
  const mayBeAnother = table.isKeyless && !rows.isExact && rows.mayBeDoubted;
  if (event.kind === 'delete') return { kind: 'remove', table, key: table.keyOf(event.old), mayBeAnother };
  const old = event.kind === 'update' ? event.old : undefined;
  if (old === undefined) {
    const key = table.keyOf(event.row.values);
    return { kind: 'put', table, key, row: event.row, valuesAt: key, isInsert: event.kind === 'insert' };
  }
  const row = complete(event.row, old);
  const key = table.keyOf(row.values);
  const oldKey = table.keyOf(old);
  // The old key may meanwhile belong to another row, whose values must not be moved, because no change would correct that.
  const isSure = (rows.isExact && !table.isBeside) || key === oldKey;
  return { kind: 'put', table, key, row, oldKey, mayBeAnother, ...(isSure && { valuesAt: oldKey }) };
}

/** Fills in omitted values from the old row, if it was sent completely. */
function complete(row: ChangedRow, old: Row): ChangedRow {
  const { values, unchanged, ...rest } = row;
  if (unchanged === undefined) return row;
  const found = unchanged.filter((name) => old[name] !== undefined);
  if (found.length === 0) return row;
  const completed: Record<string, SqlValue> = Object.assign(Object.create(null), values);
  for (const name of found) completed[name] = old[name] as SqlValue;
  return { ...rest, values: completed, unchanged: unchanged.filter((name) => old[name] === undefined) };
}
