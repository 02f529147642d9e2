/**
 * Rows that clients do not receive correctly. Each is remembered until it is correct or deleted. To avoid flooding the log, only
 * the 1st, 10th, 100th… problem of a kind is logged.
 */
import type { Log } from '../../ground/log.ts';
import type { Clock } from '../../ground/world.ts';
import type { ReplicationWriter, RowProblem, StoredTable } from '../../storage/storage.ts';
import { fullName, type ReplicatedTable } from './tables.ts';

export interface RowReports {
  /** Loads the problems that an earlier job found. */
  load(tables: readonly StoredTable[]): void;
  tell(table: ReplicatedTable, key: string, problem: Omit<RowProblem, 'key' | 'at'>): void;
  /** Reports that the row is correct or deleted. */
  settle(table: number, key: string): void;
  /** Reports that all rows of the table are deleted. */
  settleAll(table: number): void;
  /** Returns the tables whose problems have changed since the last call, with all of their problems. */
  take(): ReadonlyMap<number, readonly RowProblem[]>;
  counted(): readonly CountedRowProblem[];
}

export interface CountedRowProblem {
  readonly table: string;
  readonly row: string;
  readonly message: string;
  /** The number of problems of this kind, of which the last one is reported. */
  readonly count: number;
  readonly at: number;
}

/** The maximum number of problems of one table. Others are only in the log. */
const mostRemembered = 1000;

export function openRowReports(log: Log, clock: Clock): RowReports {
  const counts = new Map<string, number>();
  const tables = new Map<number, TableProblems>();
  const changed = new Set<number>();

  const problemsOf = (id: number, name: string): TableProblems => {
    const known = tables.get(id) ?? { name, rows: new Map() };
    tables.set(id, known);
    return known;
  };
  const say = (table: string, { row, kind, message }: Omit<RowProblem, 'key' | 'at'>) => {
    const name = `${table} ${kind}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (isPowerOfTen(count)) log.write('warn', message, { table, row, count });
  };
  return {
    load: (stored) => {
      tables.clear();
      for (const table of stored) {
        for (const problem of table.rowProblems ?? []) {
          const { rows } = problemsOf(table.id, fullName(table));
          rows.set(problem.key, [...(rows.get(problem.key) ?? []), problem]);
        }
      }
    },
    tell: ({ stored }, key, problem) => {
      const name = fullName(stored);
      say(name, problem);
      const { rows } = problemsOf(stored.id, name);
      const others = rows.get(key)?.filter(({ kind }) => kind !== problem.kind) ?? [];
      if (others.length === 0 && rows.size >= mostRemembered && !rows.has(key)) return;
      rows.set(key, [...others, { ...problem, key, at: clock.now() }]);
      changed.add(stored.id);
    },
    settle: (table, key) => {
      if (tables.size > 0 && tables.get(table)?.rows.delete(key)) changed.add(table);
    },
    settleAll: (table) => {
      if (tables.delete(table)) changed.add(table);
    },
    take: () => {
      const taken = new Map(
        [...changed].map((id) => [id, [...(tables.get(id)?.rows.values() ?? [])].flat()]),
      );
      changed.clear();
      return taken;
    },
    counted: () => [...tables.values()].flatMap(countedIn),
  };
}

/**
 * Stores the problems of rows before the rows are written. The source does not send stored rows again, so a problem that is not
 * stored by then would be lost.
 */
export async function storeProblems({
  reports,
  writer,
}: {
  readonly reports: Pick<RowReports, 'take'>;
  readonly writer: Pick<ReplicationWriter, 'putRowProblems'>;
}): Promise<void> {
  for (const [table, problems] of reports.take()) await writer.putRowProblems(table, problems);
}

interface TableProblems {
  readonly name: string;
  /** The problems, by the key of the row. */
  readonly rows: Map<string, readonly RowProblem[]>;
}

function countedIn({ name, rows }: TableProblems): readonly CountedRowProblem[] {
  const byKind = new Map<string, CountedRowProblem>();
  for (const { kind, row, message, at } of [...rows.values()].flat()) {
    const count = (byKind.get(kind)?.count ?? 0) + 1;
    byKind.set(kind, { table: name, row, message, count, at });
  }
  return [...byKind.values()];
}

function isPowerOfTen(count: number): boolean {
  return /^10*$/.test(String(count));
}
