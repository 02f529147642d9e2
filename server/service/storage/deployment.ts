/** A deployed sync config, and the changes of its record. `lifecycle.ts` decides which change follows from what. */
import type { Lsn } from '../ground/lsn.ts';

/** Stays below 2^53: at a million operations a second that lasts for 285 years. */
export type OpId = number;

export type DeploymentState =
  /** Copies, then catches up; no client sees it. At most one. */
  | 'processing'
  /** Replicates and serves. At most one. */
  | 'active'
  /** Serves its rows, but does not replicate any more. */
  | 'errored'
  /** Waits for its data to be deleted. */
  | 'stopped'
  /** The state in which only the record remains. */
  | 'terminated';

/** Clients are served from one that is active, or was until it failed. */
export function isServing(state: DeploymentState): boolean {
  return state === 'active' || state === 'errored';
}

/** The states in which nobody needs the stored rows. */
export const stoppedStates: readonly DeploymentState[] = ['stopped', 'terminated'];

/** The deployment that clients are served from: the newest that may be. */
export function servingOf(records: readonly Deployment[]): Deployment | undefined {
  return records.findLast(({ state }) => isServing(state));
}

export interface Deployment {
  /** Never used again for another one: bucket names begin with it. */
  readonly id: number;
  readonly state: DeploymentState;
  /** The text that clients get. Another text that needs nothing else may replace it. */
  readonly content: string;
  /**
   * The text that is replicated and stored, if it differs from the content: the first text, which has
   * everything that the content needs.
   */
  readonly storedContent?: string;
  /** Present if parts of several texts are stored, instead of the one text. */
  readonly storedTexts?: readonly StoredText[];
  /** Present while it is being copied: the deployment whose stored rows are not copied again, and whose place it takes. */
  readonly base?: number;
  /** The streams that are copied again, whether or not their rows are stored. */
  readonly anew?: readonly string[];
  /** Whether there may be rows that belong to no stored part any more, and have to be deleted. */
  readonly hasRest?: true;
  /** The requested copy speed, while it is being copied. Absent: no limit. */
  readonly pace?: Pace;
  /**
   * The number of times that the content was replaced by one with another meaning. Clients that know an earlier one must
   * reconnect.
   */
  readonly revision: number;
  /** Name of the replication slot, and of the stream in answers: `powersync_3_a1b2`. */
  readonly slotName: string;
  readonly storageVersion: number;
  /** When its content was deployed. Times in milliseconds since 1970. */
  readonly createdAt: number;
  readonly snapshotDone: boolean;
  readonly lastCheckpoint?: OpId;
  readonly lastCheckpointLsn?: Lsn;
  readonly noCheckpointBefore?: Lsn;
  readonly snapshotLsn?: Lsn;
  readonly lastCheckpointAt?: number;
  readonly lastKeepaliveAt?: number;
  readonly lastError?: DeploymentError;
  /** The part of the source's log that was read. Absent before the slot exists, and if an earlier release replicated last. */
  readonly passed?: PassedLog;
  /** The source that it was read from. Absent before the slot is created, and if an earlier release replicated last. */
  readonly origin?: Provenance;
  /** Why it was begun, where nobody asked for it. */
  readonly reason?: string;
}

/** The copy speed that an admin requested. */
export interface Pace {
  readonly isPaused?: true;
  /** Rows of the source in a second, on average. Absent: as many as can be. */
  readonly rowsPerSecond?: number;
}

/** A text of which something is stored. */
export interface StoredText {
  readonly content: string;
  /**
   * The number under which it was deployed, which is in the names of the parts that it added. Absent: the deployment's first
   * number.
   */
  readonly from?: number;
  /** The names of its stored parts; absent: all of them. */
  readonly names?: readonly string[];
}

/** Returns the texts in the order in which they were added. */
export function storedTextsOf({
  content,
  storedContent = content,
  storedTexts = [{ content: storedContent }],
}: Pick<Deployment, 'content' | 'storedContent' | 'storedTexts'>): readonly StoredText[] {
  return storedTexts;
}

/** The storage's record of the log that it has read. It reveals another history, or a missing part. */
export interface PassedLog {
  /** The source was asked to forget at most everything before this. */
  readonly acknowledged: Lsn;
  /** The position of the last event that was read. A source that sends it again must send it from the same position. */
  readonly last: Lsn;
  /** Distinguishes that event from another one at the same position. Absent if unknown. */
  readonly mark?: string;
}

/** An event of the source's log. */
export interface PassedEvent {
  readonly lsn: Lsn;
  readonly mark?: string;
}

/** The source, and the history of its log. */
export interface Provenance {
  /** The identifier of the source, which is unique whatever its address and name. */
  readonly system: string;
  /** The timeline of its log. A copy of the source that continues on its own begins another one. Absent if unknown. */
  readonly timeline?: string;
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
      readonly slotNameOf: (id: number) => string;
      readonly at: number;
      readonly reason?: string;
      readonly base?: number;
      readonly anew?: readonly string[];
      readonly pace?: Pace;
    }
  /**
   * Another text for the stored parts. `isSame`: it has the same meaning, so clients need no notice. The previous text is kept
   * as a terminated record.
   */
  | {
      readonly kind: 'content';
      readonly id: number;
      readonly content: string;
      readonly isSame: boolean;
      readonly at: number;
    }
  /** Other texts, or other parts of them, are stored. */
  | { readonly kind: 'stored texts'; readonly id: number; readonly storedTexts: readonly StoredText[] }
  /** All of its parts are copied for itself. */
  | { readonly kind: 'alone'; readonly id: number }
  /** Whether there may be rows that belong to no stored part any more. */
  | { readonly kind: 'rest'; readonly id: number; readonly hasRest: boolean }
  /** Absent: no limit. */
  | { readonly kind: 'pace'; readonly id: number; readonly pace?: Pace }
  | { readonly kind: 'state'; readonly id: number; readonly state: DeploymentState }
  | { readonly kind: 'error'; readonly id: number; readonly error: DeploymentError | undefined }
  /**
   * Clients may have been given numbers that this storage does not know of: none of them is given again, neither of
   * deployments, operations nor of write checkpoints. Write checkpoints that clients have numbered themselves are forgotten.
   */
  | { readonly kind: 'skip numbers' };

/** So many are skipped: more than a storage gives between two copies of it. */
export const skippedNumbers = 2 ** 32;
export const skippedDeployments = 1000;

/** Pure: it may be asked again when a transaction must be repeated. */
export type Decide = (records: readonly Deployment[]) => readonly DeploymentChange[];
