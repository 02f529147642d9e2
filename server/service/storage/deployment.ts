/** A sync config that was deployed, and how the records may change. What leads to what is `lifecycle.ts`' matter. */
import type { Lsn } from '../ground/lsn.ts';

/** Stays below 2^53: at a million operations a second that lasts for 285 years. */
export type OpId = number;

export type DeploymentState =
  /** Copies, then catches up; no client sees it. At most one. */
  | 'processing'
  /** Replicates and serves. At most one. */
  | 'active'
  /** Serves what it has, but replicates no more. */
  | 'errored'
  /** Waits for its data to be deleted. */
  | 'stopped'
  /** Only the record is left. */
  | 'terminated';

/** Clients are served from one that is active, or was until it failed. */
export function isServing(state: DeploymentState): boolean {
  return state === 'active' || state === 'errored';
}

/** Nobody needs what is stored. */
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
  /** Where parts of several texts are stored: instead of the one text. */
  readonly storedTexts?: readonly StoredText[];
  /** While it is processed: what is stored of this one is not copied again, and it takes over that one's place. */
  readonly base?: number;
  /** Streams that are copied again, whatever is stored of them. */
  readonly anew?: readonly string[];
  /** There may be rows of what is stored no longer: they have to be deleted. */
  readonly hasRest?: true;
  /** How its copy is to go on, while it is processed. Absent: as fast as it can. */
  readonly pace?: Pace;
  /** How often the content was replaced by one that means something else: clients that know an earlier one must come again. */
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
  /** Of the source's log. Absent before the slot exists, and if an earlier release replicated last. */
  readonly passed?: PassedLog;
  /** What it was read from. Absent before the slot is made, and where an earlier release has replicated last. */
  readonly origin?: Provenance;
  /** Why it was begun, where nobody asked for it. */
  readonly reason?: string;
}

/** How fast a deployment is copied, as an admin has asked. */
export interface Pace {
  readonly isPaused?: true;
  /** Rows of the source in a second, on average. Absent: as many as can be. */
  readonly rowsPerSecond?: number;
}

/** A text of which something is stored. */
export interface StoredText {
  readonly content: string;
  /** Under which number it was deployed, which is in the names of what it has added. Absent: the deployment's first one. */
  readonly from?: number;
  /** Of the parts that are stored of it; absent: all. */
  readonly names?: readonly string[];
}

/** In the order in which they came. */
export function storedTextsOf({
  content,
  storedContent = content,
  storedTexts = [{ content: storedContent }],
}: Pick<Deployment, 'content' | 'storedContent' | 'storedTexts'>): readonly StoredText[] {
  return storedTexts;
}

/** What the storage remembers of the log that it has read: by it another history, or a part that is missing, shows. */
export interface PassedLog {
  /** The source was asked to forget at most everything before this. */
  readonly acknowledged: Lsn;
  /** Where the last event lies that was read. Whatever sends it again must send it from the same place. */
  readonly last: Lsn;
  /** Distinguishes that event from another one at the same position. Absent if unknown. */
  readonly mark?: string;
}

/** An event of the source's log. */
export interface PassedEvent {
  readonly lsn: Lsn;
  readonly mark?: string;
}

/** Which history of which source. */
export interface Provenance {
  /** Of the source: unique, whatever its address and name. */
  readonly system: string;
  /** Of its log: another one begins where a copy of the source goes on by itself. Absent if unknown. */
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
   * Another text for what is stored; `isSame`: it means the same, so that clients need not hear of it. The one before it is
   * kept as a terminated record.
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
  /** All that it needs is copied for itself. */
  | { readonly kind: 'alone'; readonly id: number }
  /** Whether rows may be left of what is stored no longer. */
  | { readonly kind: 'rest'; readonly id: number; readonly hasRest: boolean }
  /** Absent: as fast as it can. */
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
