/** Whether a row of a database reaches the device of somebody who asks: decided by the evaluation that syncs. */
import { deviceOf } from '../device.ts';
import { toRowIndex } from '../rowIndex.ts';
import type { TestSubject } from '../subject.ts';
import type { SearchCandidate } from './candidates.ts';

export function reachesDevice({ rows, main, asking }: SearchCandidate, subject: TestSubject): boolean {
  const own = subject.resultOf(main.table, main.values).rows;
  if (own.length === 0) return false;
  const { tables } = deviceOf(subject, toRowIndex(rows, subject), asking);
  return own.some(({ table, id }) => tables.get(table)?.has(id));
}
