/** Rows that could not be used, said without flooding the log: the 1st of a kind, the 10th, the 100th… */
import type { Log } from '../log.ts';

export interface RowProblem {
  readonly table: string;
  /** Of the row: its id, or the key under which it is stored. */
  readonly row: string;
  /** What makes it the same kind of problem. */
  readonly kind: string;
  readonly message: string;
}

export type ReportRow = (problem: RowProblem) => void;

export function openRowReports(log: Log): ReportRow {
  const counts = new Map<string, number>();
  return ({ table, row, kind, message }) => {
    const name = `${table} ${kind}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (isPowerOfTen(count)) log.write('warn', message, { table, row, count });
  };
}

function isPowerOfTen(count: number): boolean {
  return /^10*$/.test(String(count));
}
