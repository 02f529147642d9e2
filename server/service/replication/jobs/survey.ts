/**
 * Compares the tables of the source with the stored ones, to detect changes that the log does not report. The source is read in
 * its current state, which the stream reaches later. A table can be copied only when the stream has reached that position,
 * because no later change is missing from there on.
 */
import { replicates } from '../../../engine/plan/evaluate/evaluate.ts';
import type { LogPosition } from '../../ground/logPosition.ts';
import type { StoredTable } from '../../storage/storage.ts';
import { asAdopted, reasonToCopy, shapeChanges } from '../rows/tableShape.ts';
import { resolveTable } from '../rows/tables.ts';
import type { MatchedTable, TableInfo } from '../source.ts';
import type { Replication } from './replication.ts';

export interface Survey {
  /** Makes the first comparison, before the first change is read. */
  begin(): Promise<void>;
  /** Requests a comparison because of an event of a table. No checkpoint is published before it is done. */
  demand(): Promise<void>;
  /** Returns what must be done now that the stream has reached this position; undefined: nothing. */
  due(position: LogPosition): Promise<Differences | undefined>;
}

interface Differences {
  /** The tables to copy. */
  readonly copies: readonly DueTable[];
  /** The stored tables that the source no longer has under a name that the config reads: they were dropped, renamed or moved. */
  readonly gone: readonly StoredTable[];
}

export interface DueTable {
  readonly info: TableInfo;
  readonly stored: StoredTable | undefined;
  readonly dropped: readonly StoredTable[];
  /** The reason, as the end of a sentence. */
  readonly reason: string;
}

/** The minimum interval of comparisons without a request, in milliseconds. */
const every = 10_000;
/** A survey takes at most this fraction of the time (1 / n). */
const share = 20;

export function openSurvey(replication: Replication): Survey {
  const { source, writer, served, clock } = replication;
  let from: LogPosition | undefined;
  let surveyedAt = clock.steady();
  /** The duration of the last survey, in milliseconds. */
  let took = 0;

  const differences = async (): Promise<Differences | undefined> => {
    const began = clock.steady();
    const matched = await source.tables(served);
    const stored = await writer.tables();
    await adopt(matched, stored);
    const found = matched.flatMap(({ table, replicated, problems }) => {
      const isReadable = problems.every(({ level }) => level !== 'fatal');
      return table !== undefined && replicated && isReadable ? [differenceOf(table, stored)] : [];
    });
    const copies = found.filter((each) => each !== undefined);
    const replaced = copies.flatMap(({ dropped }) => dropped);
    const present = new Set(matched.map(({ table }) => table?.sourceId));
    // Tables that only added parts read are not surveyed.
    const gone = stored.filter(
      (table) =>
        replicates(served, { ...table, tag: source.tag }) &&
        !present.has(table.sourceId) &&
        !replaced.includes(table),
    );
    surveyedAt = clock.steady();
    took = surveyedAt - began;
    return copies.length + gone.length > 0 ? { copies, gone } : undefined;
  };
  /** Records a new shape that has no effect on stored rows, and the shape of a table that an earlier release copied. */
  const adopt = async (matched: readonly MatchedTable[], all: readonly StoredTable[]) => {
    for (const { table } of matched) {
      const { reused } = table === undefined ? {} : resolveTable(table, all);
      if (!reused?.copied || table?.shape === undefined) continue;
      const shape = reused.shape === undefined ? table.shape : asAdopted(table.shape, reused.shape);
      if (JSON.stringify(reused.shape) === JSON.stringify(shape)) continue;
      if (shapeChanges(reused.shape, shape).length > 0) continue;
      await writer.putTable({ ...reused, shape });
    }
  };
  const demand = async () => {
    if (from !== undefined) return;
    from = await source.position();
    await writer.holdCheckpoints(from);
    await source.mark();
  };
  const look = async () => {
    if ((await differences()) !== undefined) await demand();
  };
  return {
    begin: look,
    demand,
    due: async (position) => {
      if (from === undefined && clock.steady() - surveyedAt >= Math.max(every, share * took)) await look();
      if (from === undefined || position < from) return undefined;
      from = undefined;
      return differences();
    },
  };

  function differenceOf(info: TableInfo, all: readonly StoredTable[]): DueTable | undefined {
    const { reused: stored, dropped } = resolveTable(info, all);
    const reason = reasonToCopy(info, stored);
    return reason === undefined ? undefined : { info, stored, dropped, reason };
  }
}
