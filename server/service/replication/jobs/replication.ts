/**
 * Shared by the parts of one deployment's replication while a job runs.
 *
 * 1. It never changes. When there is something else to do, another one takes its place, with the same stream, the same right to
 *    write, and the same signal.
 * 2. The writer and the stream are used by one part at a time: between two events of the stream.
 */
import type { RowSide } from '../../../engine/plan/evaluate/evaluate.ts';
import type { Beside } from '../../deployments/syncConfigs.ts';
import type { Log } from '../../ground/log.ts';
import type { Clock } from '../../ground/world.ts';
import type { Decide } from '../../storage/deployment.ts';
import type { ReplicationWriter, StoredContents } from '../../storage/storage.ts';
import type { RowReports } from '../rows/rowReports.ts';
import type { Source, SourceStream } from '../source.ts';
import type { Continuity } from './continuity.ts';
import type { CopyPace } from './pace.ts';
import type { JobProgress } from './progress.ts';

export interface Replication {
  readonly slot: string;
  /** Whether the stream continues the stored rows. */
  readonly continuity: Pick<Continuity, 'reunion' | 'belong' | 'origin'>;
  readonly source: Source;
  readonly stream: SourceStream;
  readonly writer: ReplicationWriter;
  /** The evaluation of all stored parts and of the added ones. */
  readonly evaluator: RowSide;
  /** The tables of the stored parts, without those that are only added. */
  readonly served: RowSide['tables'];
  readonly beside?: BesideWork;
  /** The pace of a complete copy. */
  readonly pace: CopyPace;
  /** Deletes the rest of parts that are not stored any more; absent: there is none. */
  readonly clearing?: Clearing;
  readonly decisions: Decisions;
  /** The maximum number of changes that are stored at once. */
  readonly rowsAtOnce: number;
  readonly progress: JobProgress;
  readonly reports: RowReports;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly nextErrand: () => Errand | undefined;
}

/** The meaning of a checkpoint for the deployments. */
interface Decisions {
  readonly activate: Decide;
  /** The same, although clients have a newer state of the source. */
  readonly activateAnyway: Decide;
  /** If the checkpoint has everything that is added. */
  readonly takeOver?: Decide;
}

/**
 * Work for others in the middle of a stream: between two transactions, when everything before is published. Returns whether it
 * has written.
 */
export type Errand = (replication: Replication) => Promise<'wrote' | 'has only read'>;

/** Work between two events of the stream. */
export type Chore = () => Promise<void>;

export interface BesideWork extends Beside {
  readonly pace: CopyPace;
  readonly progress: JobProgress;
  /** Called after a failure; the copy continues later. */
  readonly onFailure: (error: unknown) => Promise<void>;
  /** Called if the copy cannot be made here. */
  readonly onGivenUp: () => Promise<void>;
}

export interface Clearing {
  /** Whether a bucket, or the key of a lookup, is stored. */
  readonly isStored: (key: string) => boolean;
  /** The stored rows, including the rest. */
  readonly contents: Pick<StoredContents, 'rowsAfter'>;
  readonly clearParts: (signal: AbortSignal) => Promise<void>;
  /** Nothing is left. */
  readonly onCleared: () => Promise<void>;
}
