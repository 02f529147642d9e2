/** The state of one table, the same on every surface. */
import type { TableStatus } from '../api/answers.ts';
import { present } from '../api/reading.ts';
import { t } from '../l10n.ts';
import { rowsText } from './amounts.ts';
import { copyText } from './copyWords.ts';

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

/**
 * Returns the current number of rows if the service reports it, otherwise the number of rows in the first copy. Undefined if
 * neither is known.
 */
export function rowsOfTable(table: TableStatus): string | undefined {
  const { copiedRows: rows, estimatedRows: ofRows, storedRows } = table;
  const state = stateOfTable(table);
  if (state === 'unknown') return t('state unknown');
  if (state === 'copying')
    return rows === undefined
      ? t('being copied')
      : t('being copied: {0}', copyText({ isPaused: false, ...present({ rows, ofRows }) }));
  if (storedRows !== undefined) return rowsText(storedRows);
  return rows === undefined ? undefined : t('{0} copied', rowsText(rows));
}
