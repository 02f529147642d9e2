/**
 * Counts the entries of lookups in the source if they are not stored. Such lookups exist only in PowerSync's service or in
 * another config.
 */

import type { PreparedForecast } from '../../../engine/limits/prepare.ts';
import { collectEntries, type RowEntries } from '../../../engine/limits/rowEntries.ts';
import type { Options } from '../../../engine/model/definition.ts';
import { matchesTable } from '../../../engine/plan/evaluate/patterns.ts';
import type { Lookup } from '../../../engine/plan/plan.ts';
import { distinctValues } from '../../ground/distinctValues.ts';
import type { Clock } from '../../ground/world.ts';
import type { Source, TableInfo } from '../../replication/source.ts';

/** The maximum number of rows of one table. A larger table is not read, because the caller is waiting for the answer. */
const mostRows = 200_000;
/** The maximum time for all tables together, in milliseconds. */
const longest = 8_000;

interface SourceReading {
  readonly source: Pick<Source, 'tables' | 'stream' | 'tag'>;
  readonly deploymentName: string;
  readonly options: Options;
  readonly clock: Pick<Clock, 'steady'>;
  readonly signal: AbortSignal;
}

interface SourceEntries {
  readonly entries: RowEntries;
  /** Whether the entries contain all rows of this lookup's tables. */
  readonly isComplete: (lookup: Lookup) => boolean;
}

/** Reads the entries. If the source does not answer, every lookup is incomplete. */
export async function readSourceEntries(
  prepared: PreparedForecast,
  { source, deploymentName, options, clock, signal }: SourceReading,
): Promise<SourceEntries> {
  const patterns = distinctValues([...prepared.unstored.values()].map(({ table }) => table));
  const entries = collectEntries(prepared);
  const unread: TableInfo[] = [];
  const stream = source.stream({
    deploymentName,
    patterns,
    options,
    onProgress: () => {},
    onWaiting: () => {},
  });
  try {
    const matched = (await source.tables(patterns)).flatMap(({ table }) => table ?? []);
    // The time limit starts here, because listing the tables may have started the embedded database, which takes seconds.
    const end = clock.steady() + longest;
    for (const table of matched) if (!(await readTable(table, end))) unread.push(table);
    return { entries, isComplete: ({ table }) => !unread.some((each) => matchesTable(table, placeOf(each))) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { entries, isComplete: () => false };
  } finally {
    await stream.close().catch(() => {});
  }

  async function readTable(table: TableInfo, end: number): Promise<boolean> {
    if ((table.estimatedRows ?? 0) > mostRows) return false;
    const put = entries.rowsOf(placeOf(table));
    let count = 0;
    for await (const { rows, failed } of stream.copy(table, undefined, signal)) {
      count += rows.length + failed.length;
      if (count > mostRows || clock.steady() > end) return false;
      rows.forEach(put);
    }
    return !signal.aborted;
  }

  function placeOf({ schema, name }: TableInfo) {
    return { tag: source.tag, schema, name };
  }
}
