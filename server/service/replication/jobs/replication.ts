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
  /** Whether the stream continues what is stored. */
  readonly continuity: Pick<Continuity, 'reunion' | 'belong' | 'origin'>;
  readonly source: Source;
  readonly stream: SourceStream;
  readonly writer: ReplicationWriter;
  /** Of all that is stored, and of what is added to it. */
  readonly evaluator: RowSide;
  /** The tables of what is stored, and not only added. */
  readonly served: RowSide['tables'];
  readonly beside?: BesideWork;
  /** Of the copy of all of it. */
  readonly pace: CopyPace;
  /** Deletes the rest of what is stored no longer; absent: there is none. */
  readonly clearing?: Clearing;
  readonly decisions: Decisions;
  /** Changes that are stored in one go, at most. */
  readonly rowsAtOnce: number;
  readonly progress: JobProgress;
  readonly reports: RowReports;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly nextErrand: () => Errand | undefined;
}

/** What a checkpoint means for the deployments. */
interface Decisions {
  readonly activate: Decide;
  /** The same, although clients have a newer state of the source. */
  readonly activateAnyway: Decide;
  /** If the checkpoint has everything that is added. */
  readonly takeOver?: Decide;
}

/**
 * What others want to be done in the middle of a stream: between two transactions, when all before is published. Tells
 * whether it has written.
 */
export type Errand = (replication: Replication) => Promise<'wrote' | 'has only read'>;

/** To be done between two events of the stream. */
export type Chore = () => Promise<void>;

export interface BesideWork extends Beside {
  readonly pace: CopyPace;
  readonly progress: JobProgress;
  /** It goes on later. */
  readonly onFailure: (error: unknown) => Promise<void>;
  /** It cannot be done here. */
  readonly onGivenUp: () => Promise<void>;
}

export interface Clearing {
  /** Whether a bucket, or the key of a lookup, is stored. */
  readonly isStored: (key: string) => boolean;
  /** With the rest. */
  readonly contents: Pick<StoredContents, 'rowsAfter'>;
  readonly clearParts: (signal: AbortSignal) => Promise<void>;
  /** Nothing is left. */
  readonly onCleared: () => Promise<void>;
}
