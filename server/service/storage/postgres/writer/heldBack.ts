/** Holds rows back until they can be written with later ones, because a transaction costs more than most batches. */
import type { BatchLimits } from '../../../config/settings.ts';
import type { PassedEvent } from '../../deployment.ts';
import type { CurrentRow, RowWrite, StoredTable, WriteBatch } from '../../storage.ts';
import { sizeOf } from './transactionLimits.ts';

export interface HeldBack {
  add(batch: WriteBatch): void;
  /** Whether there are as many rows as one transaction should have. */
  isFull(): boolean;
  /** Returns the current row according to these writes; undefined if they do not contain it. */
  current(table: number, key: string): CurrentRow | 'none' | undefined;
  /** Returns all of the held writes. */
  batch(): WriteBatch;
}

export function holdBack({
  maxRecordCount,
  maxEstimatedSize,
}: Pick<BatchLimits, 'maxRecordCount' | 'maxEstimatedSize'>): HeldBack {
  const rows: RowWrite[] = [];
  let progress: StoredTable | undefined;
  let last: PassedEvent | undefined;
  let size = 0;
  const latest = new Map<string, RowWrite>();
  return {
    add: (batch) => {
      for (const row of batch.rows) {
        rows.push(row);
        size += sizeOf(row);
        latest.set(`${row.table} ${row.key}`, row);
      }
      progress = batch.progress ?? progress;
      last = batch.last ?? last;
    },
    isFull: () => rows.length >= maxRecordCount || size >= maxEstimatedSize,
    current: (table, key) => {
      const row = latest.get(`${table} ${key}`);
      if (row === undefined) return undefined;
      return row.current === null ? 'none' : { ...row.current, key };
    },
    batch: () => ({
      rows,
      ...(progress !== undefined && { progress }),
      ...(last !== undefined && { last }),
    }),
  };
}
