/**
 * Shared by the parts that follow the source's changes. The first four have their own files, with their invariants.
 *
 * 1. The replication, the survey and the copy are replaced together, between two transactions, when the parts that were copied
 *    beside the deployment are served; everything else lasts as long as the stream.
 */
import type { ReplicatedTable } from '../../rows/tables.ts';
import { BesideCopy } from '../beside.ts';
import { nothingPending, type PendingChanges } from '../pending.ts';
import type { Replication } from '../replication.ts';
import { openSurvey, type Survey } from '../survey.ts';
import { CheckpointTimes } from './checkpointTimes.ts';
import { ReadPosition } from './readPosition.ts';
import { StoredRows } from './storedRows.ts';

export interface StreamState {
  readonly position: ReadPosition;
  readonly rows: StoredRows;
  readonly times: CheckpointTimes;
  readonly pending: PendingChanges;
  /** The tables by the source's number; undefined for those that the config does not use. */
  readonly tables: Map<number, ReplicatedTable | undefined>;
  replication: Replication;
  survey: Survey;
  beside: BesideCopy | undefined;
}

export async function beginState(replication: Replication): Promise<StreamState> {
  const { clock, continuity, beside: work } = replication;
  const tables: StreamState['tables'] = new Map();
  const onTable = (table: ReplicatedTable) => void tables.set(table.info.sourceId, table);
  return {
    position: new ReadPosition(await continuity.reunion(), clock),
    rows: new StoredRows(),
    times: new CheckpointTimes(clock),
    pending: nothingPending(),
    tables,
    replication,
    survey: openSurvey(replication),
    beside: work && new BesideCopy(replication, work, onTable),
  };
}

/** Holds checkpoints back until the stream has reached the source's current position, because stored rows may be as new as that. */
export async function holdUntilNow({
  writer,
  source,
}: Pick<Replication, 'writer' | 'source'>): Promise<void> {
  await writer.holdCheckpoints(await source.position());
  await source.mark();
}
