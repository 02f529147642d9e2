/** The progress of a deployment's replication, for observers. */
import type { LogPosition } from '../../ground/logPosition.ts';
import type { Clock } from '../../ground/world.ts';
import type { StoredTable } from '../../storage/storage.ts';
import type { CountedRowProblem } from '../rows/rowReports.ts';
import { fullName } from '../rows/tables.ts';
import type { TableInfo } from '../source.ts';
import { type CopyForecast, openForecast } from './forecast.ts';

export type JobPhase = 'preparing' | 'copying' | 'streaming';

interface ProgressTimes {
  /** The last time at which something was stored, or the source reported that there is nothing new. */
  readonly lastProgressAt?: number;
  /** The commit time, in the source, of the oldest change that is not completely stored. */
  readonly oldestOpenAt?: number;
}

export interface ProgressSnapshot extends ProgressTimes {
  readonly phase: JobPhase;
  readonly tables: readonly TableProgress[];
  readonly lastCommit?: LogPosition;
  /** The number of rows since the job began. */
  readonly replicatedRows: number;
  /** The reason why the source has been waiting for some time. */
  readonly waitingFor?: string;
  /** The progress of a running copy. */
  readonly copy?: CopyForecast;
  /** The rows that could not be used, by table and kind. */
  readonly rowProblems: readonly CountedRowProblem[];
}

interface TableProgress {
  readonly table: string;
  readonly copied: boolean;
  readonly copiedRows: number;
  readonly estimatedRows?: number;
}

/** The amounts of one step, for counters. */
export interface JobStep {
  readonly rows?: number;
  readonly bytes?: number;
  readonly pages?: number;
  readonly transactions?: number;
}

export interface JobProgress {
  readonly enter: (phase: JobPhase) => void;
  readonly table: (table: StoredTable) => void;
  /** Reports the approximate size of a table's rows in the source. */
  readonly size: (table: StoredTable, bytesPerRow: number) => void;
  readonly dropTable: (table: StoredTable) => void;
  /** Reports that the copy is paused. */
  readonly pause: () => void;
  /** Continues the copy, with at most this many rows per second. */
  readonly goOn: (limit: number | undefined) => void;
  /** Reports that a step is durable. */
  readonly stored: (step: JobStep) => void;
  readonly waiting: (reason: string | undefined, table?: Pick<TableInfo, 'schema' | 'name'>) => void;
  /** Sets the source of the rows that could not be used. */
  readonly watchRows: (problems: () => readonly CountedRowProblem[]) => void;
  readonly begun: (at: number) => void;
  /** Reports that everything up to this position is stored. */
  readonly settled: (position: LogPosition) => void;
  readonly snapshot: () => ProgressSnapshot;
  /** Returns only the part of the progress that needs no computation. */
  readonly times: () => ProgressTimes;
}

/** Tracks the progress. Calls `onStep` for every step. */
export function trackProgress(clock: Clock, onStep: (step: JobStep) => void): JobProgress {
  const tables = new Map<number, TableProgress>();
  const forecast = openForecast(clock);
  let rowProblems: () => readonly CountedRowProblem[] = () => [];
  let phase: JobPhase = 'preparing';
  let lastProgressAt: number | undefined;
  let lastCommit: LogPosition | undefined;
  let oldestOpenAt: number | undefined;
  let waitingFor: string | undefined;
  let awaitedTable: string | undefined;
  let replicatedRows = 0;
  let transactions = 0;
  const advance = (step: JobStep) => {
    lastProgressAt = clock.now();
    onStep(step);
  };
  const copiedPart = (): string => {
    const { copiedRows = 0, estimatedRows = 0 } =
      [...tables.values()].find(({ table, copied }) => table === awaitedTable && !copied) ?? {};
    if (estimatedRows === 0) return '';
    // The estimate may be too low.
    return ` About ${Math.min(99, Math.floor((100 * copiedRows) / estimatedRows))} % of its rows are copied.`;
  };
  const times = (): ProgressTimes => ({
    ...(lastProgressAt !== undefined && { lastProgressAt }),
    ...(oldestOpenAt !== undefined && { oldestOpenAt }),
  });
  return {
    enter: (next) => {
      phase = next;
    },
    table: (table) => {
      const { copiedRows = 0, estimatedRows } = table.progress ?? {};
      const known = {
        table: fullName(table),
        copied: table.copied,
        copiedRows,
        ...(estimatedRows !== undefined && { estimatedRows }),
      };
      tables.set(table.id, known);
      forecast.table(table.id, known);
    },
    size: ({ id }, bytesPerRow) => forecast.size(id, bytesPerRow),
    dropTable: ({ id }) => {
      tables.delete(id);
      forecast.dropTable(id);
    },
    pause: forecast.pause,
    goOn: forecast.goOn,
    stored: (step) => {
      replicatedRows += step.rows ?? 0;
      advance(step);
    },
    waiting: (reason, table) => {
      waitingFor = reason;
      awaitedTable = table && fullName(table);
    },
    watchRows: (problems) => {
      rowProblems = problems;
    },
    begun: (at) => {
      transactions += 1;
      oldestOpenAt ??= at;
    },
    settled: (position) => {
      lastCommit = position;
      oldestOpenAt = undefined;
      advance({ transactions });
      transactions = 0;
    },
    snapshot: () => ({
      phase,
      replicatedRows,
      tables: [...tables.values()],
      rowProblems: rowProblems(),
      ...times(),
      ...(lastCommit !== undefined && { lastCommit }),
      ...(waitingFor !== undefined && { waitingFor: waitingFor + copiedPart() }),
      ...(phase === 'copying' && { copy: forecast.read() }),
    }),
    times,
  };
}

/**
 * Returns the age in milliseconds of the oldest change that clients of this deployment cannot see yet; 0 if there is none. After
 * a failure, it is the time since the last sign of the source. Undefined before the first sign.
 */
export function lagOf(
  { progress, running }: { readonly progress: ProgressTimes; readonly running: boolean },
  now: number,
): number | undefined {
  const { lastProgressAt, oldestOpenAt } = progress;
  if (lastProgressAt === undefined) return undefined;
  if (!running) return now - lastProgressAt;
  return oldestOpenAt === undefined ? 0 : Math.max(0, now - oldestOpenAt);
}
