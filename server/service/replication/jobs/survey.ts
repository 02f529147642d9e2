/**
 * Compares the tables of the source with the stored ones, to detect changes that the log does not report. The source is read in
 * its current state, which the stream reaches later. A table can be copied only when the stream has reached that position,
 * because no later change is missing from there on.
 */
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
  /** Returns the tables that must be copied now that the stream has reached this position. */
  due(position: LogPosition): Promise<readonly DueTable[]>;
}

interface DueTable {
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

  const differences = async (): Promise<readonly DueTable[]> => {
    const began = clock.steady();
    const matched = await source.tables(served);
    const stored = await writer.tables();
    await adopt(matched, stored);
    const found = matched.flatMap(({ table, replicated, problems }) => {
      const isReadable = problems.every(({ level }) => level !== 'fatal');
      return table !== undefined && replicated && isReadable ? [differenceOf(table, stored)] : [];
    });
    surveyedAt = clock.steady();
    took = surveyedAt - began;
    return found.filter((each) => each !== undefined);
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
    if ((await differences()).length > 0) await demand();
  };
  return {
    begin: look,
    demand,
    due: async (position) => {
      if (from === undefined && clock.steady() - surveyedAt >= Math.max(every, share * took)) await look();
      if (from === undefined || position < from) return [];
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
