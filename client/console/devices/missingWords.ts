/** Sentences about the source rows that are not on a device. They claim nothing about rows that were not read. */
import type { ExplainedPage } from '../../api/explained.ts';
import { amountText } from '../parts/amounts.ts';

export interface MissingFound extends ExplainedPage {
  readonly isReading: boolean;
}

/** Returns the title that is shown instead of rows. */
export function emptyTitle({ isReading, isRead, problem, after }: MissingFound, search: string): string {
  if (problem !== undefined) return 'Cannot read the rows of the source';
  if (isReading) return 'Reading the source …';
  if (!isRead) return 'No query reads this table';
  if (after !== undefined) return 'No missing row was found so far, but the table has more rows';
  return search.trim() === ''
    ? 'Nothing is missing: all rows of this table are on the device'
    : 'No missing row matches the search: the row is on the device, or does not exist';
}

/** Returns the number of missing rows, and the reason if the reading ended early. */
export function amountMissing({ rows, after, problem }: MissingFound, table: string): string {
  const amount = `${amountText(rows.length, 'row')} of ${table} ${rows.length === 1 ? 'is' : 'are'} not on this device`;
  if (problem !== undefined) return `${amount} so far. Cannot read more rows: ${adviceFor(problem)}`;
  return after === undefined ? `${amount}.` : `${amount} so far.`;
}

export function adviceFor(problem: string): string {
  return /not enabled/.test(problem)
    ? 'The service does not allow queries of its source. To allow them, add debug_api: true to the connection in the service config.'
    : problem;
}
