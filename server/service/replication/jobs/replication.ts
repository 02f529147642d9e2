/**
 * Shared by the parts of one deployment's replication while a job runs.
 *
 * 1. A replication never changes. A new task replaces it by another one, with the same stream, the same right to write and the
 *    same signal.
 * 2. The writer and the stream are used by one part at a time, between two events of the stream.
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
  readonly deploymentName: string;
  /** Checks whether the stream continues the stored rows. */
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
  /** Deletes the rest of parts that are no longer stored; absent: there is no rest. */
  readonly clearing?: Clearing;
  readonly decisions: Decisions;
  /** The maximum number of changes that are stored together. */
  readonly rowsAtOnce: number;
  readonly progress: JobProgress;
  readonly reports: RowReports;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly nextErrand: () => Errand | undefined;
}

/** Decides what a checkpoint means for the deployments. */
interface Decisions {
  readonly activate: Decide;
  /** Does the same, even if clients have a newer state of the source. */
  readonly activateAnyway: Decide;
  /** Used if the checkpoint contains all added parts. */
  readonly takeOver?: Decide;
}

/**
 * Work for a caller outside of the job. It runs between two transactions of the stream, when everything before is published.
 * Returns whether it has written.
 *
 * @param compare requests a comparison of the stored tables with those of the source: see `survey.ts`
 */
export type Errand = (
  replication: Replication,
  compare: () => Promise<void>,
) => Promise<'wrote' | 'has only read'>;

/** Work between two events of the stream. */
export type Chore = () => Promise<void>;

export interface BesideWork extends Beside {
  readonly pace: CopyPace;
  readonly progress: JobProgress;
  /** Called after a failure; the copy continues later. */
  readonly onFailure: (error: unknown) => Promise<void>;
  /** Called if the copy cannot be made beside the deployment. */
  readonly onGivenUp: () => Promise<void>;
}

export interface Clearing {
  /** Whether a bucket, or the key of a lookup, is stored. */
  readonly isStored: (key: string) => boolean;
  /** The stored rows, including the rest. */
  readonly contents: Pick<StoredContents, 'rowsAfter'>;
  readonly clearParts: (signal: AbortSignal) => Promise<void>;
  /** Called when nothing is left. */
  readonly onCleared: () => Promise<void>;
}
