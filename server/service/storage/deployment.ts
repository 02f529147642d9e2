/** A deployed sync config, and the changes of its record. `lifecycle.ts` decides which changes follow from an event. */
import type { LogPosition } from '../ground/logPosition.ts';

/** The id of an operation. It stays below 2^53: at a million operations per second, that is enough for 285 years. */
export type OpId = number;

export type DeploymentState =
  /** Is copying or catching up, and no client sees it. At most one deployment has this state. */
  | 'processing'
  /** Replicates and serves clients. At most one deployment has this state. */
  | 'active'
  /** Serves its rows to clients, but no longer replicates. */
  | 'errored'
  /** Its data will be deleted. */
  | 'stopped'
  /** The data is deleted, and only the record remains. */
  | 'terminated';

/** Whether clients can be served from the deployment: it is active, or was until it failed. */
export function isServing(state: DeploymentState): boolean {
  return state === 'active' || state === 'errored';
}

/** The states in which the stored rows are no longer needed. */
export const stoppedStates: readonly DeploymentState[] = ['stopped', 'terminated'];

/** Returns the deployment from which clients are served: the newest possible one. */
export function servingOf(records: readonly Deployment[]): Deployment | undefined {
  return records.findLast(({ state }) => isServing(state));
}

export interface Deployment {
  /** Never used again for another deployment, because bucket names begin with it. */
  readonly id: number;
  readonly state: DeploymentState;
  /** The config that clients get. Another config that needs no further data may replace it. */
  readonly content: string;
  /**
   * The config that is replicated and stored, if it differs from `content`: the first config of the deployment, which contains
   * everything that the current content needs.
   */
  readonly storedContent?: string;
  /** Present if parts of several config texts are stored, instead of one text. */
  readonly storedTexts?: readonly StoredText[];
  /**
   * Present while the deployment is copying beside another one: the deployment whose stored rows are kept, and whose place this
   * one takes.
   */
  readonly base?: number;
  /** The streams that are copied again, even if their rows are stored. */
  readonly anew?: readonly string[];
  /** Whether there may be rows that belong to no stored part any more and must be deleted. */
  readonly hasRest?: true;
  /** The requested copy speed, while the deployment is copying. Absent: no limit. */
  readonly pace?: Pace;
  /**
   * The number of times that the content was replaced by one with another meaning. Clients that know an earlier one must
   * reconnect.
   */
  readonly revision: number;
  /** The name in answers, and the name under which the source keeps the changes: `powersync_3_a1b2`. */
  readonly deploymentName: string;
  readonly storageVersion: number;
  /** The time at which the content was deployed. All times are in milliseconds since 1970. */
  readonly createdAt: number;
  /** The user who deployed the content, as the client named them. Absent if it named nobody, and before this was stored. */
  readonly deployedBy?: string;
  readonly snapshotDone: boolean;
  readonly lastCheckpoint?: OpId;
  readonly lastCheckpointPosition?: LogPosition;
  readonly noCheckpointBefore?: LogPosition;
  readonly snapshotPosition?: LogPosition;
  readonly lastCheckpointAt?: number;
  readonly lastKeepaliveAt?: number;
  readonly lastError?: DeploymentError;
  /**
   * The part of the source's log that was read. Absent before the source keeps changes, and if an earlier release was the last to
   * replicate.
   */
  readonly passed?: PassedLog;
  /** The source of the stored data. Absent before the source keeps changes, and if an earlier release was the last to replicate. */
  readonly origin?: Provenance;
  /** The reason for the copy, if nobody requested it. */
  readonly reason?: string;
}

/** The copy speed that an admin requested. */
export interface Pace {
  readonly isPaused?: true;
  /** The maximum average rate, in rows of the source per second. Absent: no limit. */
  readonly rowsPerSecond?: number;
}

/** A config text of which at least a part is stored. */
export interface StoredText {
  readonly content: string;
  /**
   * The number under which the config was deployed. It is in the names of the parts that this deployment added. Absent: the
   * deployment's first number.
   */
  readonly from?: number;
  /** The names of the stored parts; absent: all parts. */
  readonly names?: readonly string[];
}

/** Returns the config texts in the order in which they were added. */
export function storedTextsOf({
  content,
  storedContent = content,
  storedTexts = [{ content: storedContent }],
}: Pick<Deployment, 'content' | 'storedContent' | 'storedTexts'>): readonly StoredText[] {
  return storedTexts;
}

/** The storage's record of the log that was read. It can reveal a different history, or a missing part. */
export interface PassedLog {
  /** The latest acknowledged position. The source may have dropped its log before this position, but no later log. */
  readonly acknowledged: LogPosition;
  /** The position of the last event that was read. If the source sends the event again, it must have the same position. */
  readonly last: LogPosition;
  /** Distinguishes that event from another one at the same position. Absent if unknown. */
  readonly mark?: string;
}

/** An event in the source's log. */
export interface PassedEvent {
  readonly position: LogPosition;
  readonly mark?: string;
}

/** Identifies the source, and the history of its log. */
export interface Provenance {
  /** The identifier of the source, which is unique regardless of its address and name. */
  readonly system: string;
  /** The branch of the log. A copy of the source that continues independently begins another one. Absent if unknown. */
  readonly branch?: string;
}

export interface DeploymentError {
  readonly message: string;
  readonly at: number;
}

export type DeploymentChange =
  | {
      readonly kind: 'insert';
      readonly content: string;
      readonly storageVersion: number;
      readonly deploymentNameOf: (id: number) => string;
      readonly at: number;
      readonly by?: string;
      readonly reason?: string;
      readonly base?: number;
      readonly anew?: readonly string[];
      readonly pace?: Pace;
    }
  /**
   * Another config replaces the content. `isSame`: it has the same meaning, so clients need not be notified. The previous content
   * is kept as a terminated record.
   */
  | {
      readonly kind: 'content';
      readonly id: number;
      readonly content: string;
      readonly isSame: boolean;
      readonly at: number;
      readonly by?: string;
    }
  /** The set of stored config texts, or of their parts, has changed. */
  | { readonly kind: 'stored texts'; readonly id: number; readonly storedTexts: readonly StoredText[] }
  /** The deployment no longer has a base, so all of its parts are copied separately. */
  | { readonly kind: 'alone'; readonly id: number }
  /** Whether there may be rows that belong to no stored part any more. */
  | { readonly kind: 'rest'; readonly id: number; readonly hasRest: boolean }
  /** Absent `pace`: no limit. */
  | { readonly kind: 'pace'; readonly id: number; readonly pace?: Pace }
  | { readonly kind: 'state'; readonly id: number; readonly state: DeploymentState }
  | { readonly kind: 'error'; readonly id: number; readonly error: DeploymentError | undefined }
  /**
   * Clients may have received numbers that this storage does not know, so numbers are skipped and none is used twice. This
   * applies to the numbers of deployments, operations and write checkpoints. Write checkpoints that clients have numbered
   * themselves are dropped.
   */
  | { readonly kind: 'skip numbers' };

/** How many numbers are skipped. It is more than a storage uses between two backups. */
export const skippedNumbers = 2 ** 32;
export const skippedDeployments = 1000;

/** A pure function, because it may be called again when a transaction must be repeated. */
export type Decide = (records: readonly Deployment[]) => readonly DeploymentChange[];
