/** What the parts of one deployment's replication share while a job runs. */
import type { ConfigEvaluator } from '../../../engine/plan/evaluate/evaluate.ts';
import type { Log } from '../../ground/log.ts';
import type { Clock } from '../../ground/world.ts';
import type { Decide } from '../../storage/deployment.ts';
import type { ReplicationWriter } from '../../storage/storage.ts';
import type { RowReports } from '../rows/rowReports.ts';
import type { Source, SourceStream } from '../source.ts';
import type { Reunion } from './history.ts';
import type { JobProgress } from './progress.ts';

export interface Replication {
  readonly slot: string;
  /** Whether what comes is a continuation of what is stored; only while the stream runs. */
  readonly reunion: () => Promise<Reunion>;
  /** What is stored goes on with the source that the stream is connected to: remembers which history of it this is. */
  readonly belong: () => Promise<void>;
  readonly source: Source;
  readonly stream: SourceStream;
  readonly writer: ReplicationWriter;
  readonly evaluator: ConfigEvaluator;
  /** What a checkpoint means for the deployments. */
  readonly activate: Decide;
  /** The same, although clients have a newer state of the source. */
  readonly activateAnyway: Decide;
  /** Changes that are stored in one go, at most. */
  readonly rowsAtOnce: number;
  readonly progress: JobProgress;
  readonly reports: RowReports;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly nextErrand: () => Errand | undefined;
}

/**
 * What others want to be done in the middle of a stream: between two transactions, when all before is published. Tells
 * whether it has written.
 */
export type Errand = (replication: Replication) => Promise<'wrote' | 'has only read'>;
