/** The state of one table, the same on every surface. */
import type { TableStatus } from '../api/answers.ts';

/**
 * `missing`: the source does not have the table. `unreadable`: the source has the table, but its rows cannot be replicated.
 * `unknown`: the service reports a problem that shows neither.
 */
export type TableState = 'copied' | 'copying' | 'missing' | 'unreadable' | 'unknown';

export function stateOfTable({ keys, copied, errors }: TableStatus): TableState {
  if (errors.some(({ kind }) => kind === 'missing')) return 'missing';
  // Services report the key columns of each table that exists.
  if (keys.length === 0) {
    if (errors.some(({ kind }) => kind === 'left out')) return 'missing';
    if (errors.some(({ level }) => level === 'fatal')) return 'unreadable';
    if (errors.length > 0) return 'unknown';
  }
  return copied === false ? 'copying' : 'copied';
}

/** Whether clients do not get all rows that the table should have. */
export function isIncomplete(table: TableStatus): boolean {
  const isLeftOut = table.errors.some(({ kind }) => kind === 'left out');
  return isLeftOut || ['missing', 'unreadable', 'unknown'].includes(stateOfTable(table));
}
