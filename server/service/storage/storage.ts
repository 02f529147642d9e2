/**
 * The contract of a storage: the data that the service keeps, and the promises about it.
 * A storage is independent of sync configs, sources and clients.
 *
 * - One sequence of ids covers the operations and lookup entries of all deployments. Ids strictly increase, in the order of
 *   writing inside the writing transaction, and the sequence never starts again.
 * - Everything that a method has returned is durable. Work that a crash interrupts has happened completely or not at all,
 *   except for the rows of a batch: the first of them may be stored.
 * - Written operations are invisible until a commit publishes a checkpoint at or after them. No operation at or below
 *   a published checkpoint of its deployment ever appears later.
 */
import type { SqlValue } from '../../engine/plan/values/value.ts';
import type { LogPosition } from '../ground/logPosition.ts';
import type { ColumnId, TableId } from '../ground/sourceIds.ts';
import type { Decide, Deployment, OpId, PassedEvent, Provenance } from './deployment.ts';
import type { StorageLink } from './link.ts';

export type { OpId };

export interface Storage {
  /** A random id, created with the storage. */
  readonly instanceId: string;
  /** Absent if the storage is in this process. */
  readonly link?: StorageLink;
  readonly deployments: DeploymentStore;
  readonly writeCheckpoints: WriteCheckpointStore;
  /** Takes the right to write for a deployment. Resolves to undefined while another process has the right. */
  writer(deployment: number): Promise<ReplicationWriter | undefined>;
  reader(deployment: number): BucketReader;
  stored(deployment: number): StoredContents;
  /** Adds a listener, which is called after every commit that clients may see, and when another deployment becomes active. */
  watch(listener: (notice: Notice) => void): () => void;
  /**
   * Calls back when data was deleted or rolled back, so that another process that reads it clears its caches. Absent if other
   * processes detect this themselves.
   */
  onDoubt?(forget: () => void): void;
  /** The problem to report if nothing is deployed, because a recovery from corruption may have found no sync config. */
  readonly lostConfig?: string;
  /** Reports that another process has found the storage to be corrupt. Absent if no other process reads its files. */
  distrust?(message: string): void;
  /** Compacts a deployment. Ends early if the deployment is stopped, because all of its data will be deleted. */
  compact(deployment: number, options: CompactionOptions): Promise<CompactionReport>;
  /**
   * Deletes a stopped deployment's data in batches; its record stays. Can be repeated after a crash.
   * @param rest awaited between steps of some milliseconds; absent: nothing else has precedence
   */
  clear(deployment: number, signal: AbortSignal, rest?: Rest): Promise<void>;
  /**
   * Deletes the buckets and lookups of a deployment that are no longer written or read, in batches. Those with one of these names
   * before the `[` stay. Can be repeated after a crash.
   */
  clearParts(deployment: number, kept: ReadonlySet<string>, signal: AbortSignal, rest?: Rest): Promise<void>;
  sizes(): Promise<StorageSizes>;
  /**
   * Returns the number of buckets of a deployment, by the part of their names before the `[`. Returns undefined if there are more
   * than `most` buckets in total.
   */
  countBuckets(deployment: number, most: number): Promise<ReadonlyMap<string, number> | undefined>;
  /** Returns the current number of rows of a deployment's source tables. Tables with more than `most` rows are omitted. */
  countRows(deployment: number, most: number): Promise<readonly RowCount[]>;
  close(): Promise<void>;
}

/** Lets other work run for a while. */
export type Rest = () => Promise<void>;

export interface RowCount {
  readonly schema: string;
  readonly name: string;
  readonly rows: number;
}

export interface DeploymentStore {
  /** Returns all deployments that ever existed, oldest first. */
  all(): Promise<readonly Deployment[]>;
  /** Decides and applies the decision in one transaction. Returns the resulting records. */
  change(decide: Decide): Promise<readonly Deployment[]>;
  /** Adds a listener, which is called when another process has changed the records, or may have. */
  watch(listener: () => void): () => void;
}

/** Writes for one deployment. Calls must not overlap: await each call before the next one. */
export interface ReplicationWriter {
  /**
   * Whether there were stored operations without a following commit when the writer was opened. A part of a transaction of the
   * source may be stored, and the source will send the transaction again. Hold checkpoints until the source's current position,
   * so that the entire transaction is published together.
   */
  readonly isInterrupted: boolean;
  /**
   * Whether the previous writer has not released the right. Its process may still be running without knowing that it lost the
   * right.
   */
  readonly hasTakenOver?: boolean;
  /** Aborted when another process is found to write. Absent if no other process can write. */
  readonly lost?: AbortSignal;
  /** Fails if the right was lost or released. */
  demand(): Promise<void>;
  tables(): Promise<readonly StoredTable[]>;
  /** Inserts (without id) or replaces a table, except the problems of its rows. Returns the table with its id. */
  putTable(table: NewTable | StoredTable): Promise<StoredTable>;
  putRowProblems(table: number, problems: readonly RowProblem[]): Promise<void>;
  /** Deletes the table. Call it after its rows have been deleted. */
  deleteTable(table: number): Promise<void>;
  /** Returns the rows in the order of the keys; undefined for a key without a row. */
  currentRows(table: number, keys: readonly string[]): Promise<readonly (CurrentRow | undefined)[]>;
  /** Returns some stored rows of a table. Truncate and drop repeat it until no row remains. */
  someRows(table: number, limit: number): Promise<readonly CurrentRow[]>;
  /**
   * Writes rows, which are durable when the promise resolves, with ids in order. After a crash, only the first rows may be
   * stored, without the progress. They are invisible until {@link commit}. Returns the last id, which is an earlier one if more
   * rows follow.
   */
  write(batch: WriteBatch): Promise<OpId>;
  /** Publishes a checkpoint at this position if the rule of consistency allows it: see `consistency.ts`. */
  commit(position: LogPosition, options: CommitOptions): Promise<CommitResult>;
  /** Prevents checkpoints before this position. The position can only increase. */
  holdCheckpoints(until: LogPosition): Promise<void>;
  /** Stores the position from which the log will be read, before any of it was read. */
  beginLog(position: LogPosition): Promise<void>;
  /** Stores the source of the stored data, from which replication continues. */
  belongTo(origin: Provenance): Promise<void>;
  /** Stores that all tables have been copied. */
  finishSnapshot(position: LogPosition): Promise<void>;
  /** Deletes everything of this deployment except its record, so that the copy starts again. */
  reset(): Promise<void>;
  /** Releases the right to write. */
  release(): Promise<void>;
}

export interface WriteBatch {
  readonly rows: readonly RowWrite[];
  /** A table whose progress becomes durable together with its rows. */
  readonly progress?: StoredTable;
  /**
   * Whether more rows follow. In that case, the batch may become durable only together with the next call that changes something,
   * and is lost if that call fails. After that, every call of this writer fails.
   */
  readonly goesOn?: boolean;
  /** The event at whose end these rows are complete. It is stored as the last event as soon as the rows are durable. */
  readonly last?: PassedEvent;
}

/** The result of one change of a row. */
export interface RowWrite {
  readonly table: number;
  /** The identity of the source row: a UUID, see `replication/identity.ts`. */
  readonly key: string;
  readonly ops: readonly NewOp[];
  readonly lookups: readonly NewLookup[];
  /** The row after the change; null: it does not exist. */
  readonly current: Omit<CurrentRow, 'key'> | null;
  /** Whether `current` is already stored, provided that the earlier writes have happened. */
  readonly isStored?: boolean;
  /** Present if the row is assumed to be new. If it is already stored, the returned write is used instead. */
  readonly ifStored?: ((before: CurrentRow) => RowWrite) | undefined;
}

export interface NewOp {
  readonly bucket: string;
  readonly op: 'PUT' | 'REMOVE';
  /** An unsigned 32-bit integer. */
  readonly checksum: number;
  readonly type: string;
  readonly id: string;
  readonly subkey: string;
  /** The JSON exactly as it will be sent; absent for REMOVE. */
  readonly data?: string;
}

export interface NewLookup {
  readonly lookup: string;
  /** The value sets of this source row under this lookup; empty: none any more. */
  readonly values: readonly (readonly SqlValue[])[];
}

export interface CurrentRow {
  readonly key: string;
  /** The values as the writer encoded them. Undefined if the source always sends complete rows. */
  readonly values: Uint8Array | undefined;
  readonly memberships: readonly Membership[];
  readonly lookups: readonly string[];
  /** Whether the storage has further places of the row that no longer count. */
  readonly hasRest?: true;
}

export interface Membership {
  readonly bucket: string;
  readonly type: string;
  readonly id: string;
}

export interface NewTable {
  readonly schema: string;
  readonly name: string;
  readonly sourceId: TableId;
  readonly identity: readonly IdentityColumn[];
  readonly identityKind: 'default' | 'index' | 'full' | 'nothing';
  readonly copied: boolean;
  readonly progress?: CopyProgress;
  /** The shape of the table when it was copied. Absent if an earlier release copied it. */
  readonly shape?: TableShape;
  /** The progress of the table's copy for the deployment that should take over. */
  readonly beside?: BesideProgress;
}

/** The progress of copying a part that a deployment does not have yet. */
export interface BesideProgress {
  /** The deployment that needs the part. */
  readonly deployment: number;
  readonly copied: boolean;
  /** Absent: nothing has been copied. */
  readonly progress?: CopyProgress;
  /** The latest position whose changes the rows read so far may include. */
  readonly readUpTo?: LogPosition;
}

/** The source's identifiers of things that can be dropped and created again under the same name. */
export interface TableShape {
  /** The reason why the table is replicated; empty if it cannot stop being replicated. */
  readonly membership: string;
  /** The columns by name. */
  readonly columns: Readonly<Record<string, ColumnId>>;
  /**
   * The names of the columns that the log contains, in its order. For a stored table: at the time of the copy. Absent if the log
   * does not describe columns, or if an earlier release copied the table.
   */
  readonly published?: readonly string[];
  /** The definitions of the columns, by name. Absent if an earlier release copied the table. */
  readonly details?: Readonly<Record<string, ColumnShape>>;
  /** The transactions that had changed definitions of columns by the time of the copy. Absent in the same cases as `published`. */
  readonly copiedAfter?: readonly string[];
  /** The number of the file with the table's rows, which changes when the table is rewritten. */
  readonly file?: number;
  /** Whether equal rows cannot be distinguished. */
  readonly isKeyless?: true;
}

/** The parts of a column's definition that decide which values existing rows have. */
export interface ColumnShape {
  /** The type as SQL names it, for messages. */
  readonly displayType: string;
  /** The transaction that last changed the definition. */
  readonly changedBy: string;
  /** Whether rows from before the column was added have a value for it. */
  readonly isFilled: boolean;
  /** If one of these changes, the values of existing rows may also change. */
  readonly facts: Readonly<Record<string, string | null>>;
}

export interface StoredTable extends NewTable {
  readonly id: number;
  /** The problems of rows at the time when the tables were read. */
  readonly rowProblems?: readonly RowProblem[];
}

/** A row that clients do not receive correctly. */
export interface RowProblem {
  /** The identity of the source row, as in {@link RowWrite}. */
  readonly key: string;
  /** The row, for messages: `id=7`. */
  readonly row: string;
  /** The kind of problem. */
  readonly kind: string;
  readonly message: string;
  /** The time in milliseconds since 1970. */
  readonly at: number;
}

export interface IdentityColumn {
  readonly name: string;
  /** The name of the source's type. */
  readonly type: string;
}

export interface CopyProgress {
  readonly copiedRows: number;
  /** The estimated number of rows. Undefined if the source does not know. */
  readonly estimatedRows?: number;
  /** The last key as text, in the source's own order. Absent if the copy of this table cannot be resumed. */
  readonly lastKey?: string;
}

export interface CommitOptions {
  /** Decides what a checkpoint means for the deployments while this one is not active. Applied in the same transaction. */
  readonly activate: Decide;
  /** Decides what a checkpoint means while this one is active. Applied in the same transaction. Absent: nothing changes. */
  readonly takeOver?: Decide;
  /** The time of the commit, in milliseconds since 1970. */
  readonly at: number;
  /** The last event that was read; absent: none was. It is stored even if the position is not published. */
  readonly last?: PassedEvent;
  /** The position before which the source may drop its log after the commit. Absent: the position of the commit. */
  readonly acknowledges?: LogPosition;
}

export interface CommitResult {
  /** Whether the checkpoint was published. False if the rule of consistency forbids a checkpoint at this position. */
  readonly published: boolean;
  readonly checkpoint?: Checkpoint;
  /** The deployments after the commit, if `activate` changed something. */
  readonly changed?: readonly Deployment[];
  /** `activate` changed nothing, so clients must not see the checkpoint, and a later one will ask again. */
  readonly putOff?: true;
}

export interface Checkpoint {
  readonly opId: OpId;
  readonly position: LogPosition;
}

/** The stored data of a deployment, for a comparison with the source. It may be newer than the published checkpoint. */
export interface StoredContents {
  tables(): Promise<readonly StoredTable[]>;
  /** Returns some buckets after the given one, in the order in which they were created. */
  bucketsAfter(bucket: number): Promise<readonly StoredBucket[]>;
  /** Returns some rows of a table after the given key, in the order of their keys. */
  rowsAfter(table: number, key: string | undefined): Promise<readonly CurrentRow[]>;
  /** Returns the rows in the order of the keys; undefined for a key without a row. */
  currentRows(table: number, keys: readonly string[]): Promise<readonly (CurrentRow | undefined)[]>;
  /**
   * Returns some entries after the given one, up to a checkpoint. Entries of a row under the same lookup follow each other by
   * their ids.
   */
  lookupsAfter(checkpoint: OpId, entry: StoredLookup | undefined): Promise<readonly StoredLookup[]>;
  /** Returns the number of values under some keys after the given one, as of a checkpoint. */
  lookupSizesAfter(checkpoint: OpId, lookup: string | undefined): Promise<readonly LookupSize[]>;
  /** Returns the latest entries of these rows, as of a checkpoint. */
  lookupsOf(checkpoint: OpId, wanted: readonly LookupPlace[]): Promise<readonly StoredLookup[]>;
}

export interface StoredBucket {
  readonly id: number;
  readonly name: string;
}

export interface LookupSize {
  readonly lookup: string;
  readonly values: number;
  /** The maximum number of distinct values. */
  readonly distinct: number;
}

export interface LookupPlace {
  readonly lookup: string;
  readonly table: number;
  readonly key: string;
}

export interface StoredLookup extends LookupPlace {
  readonly opId: OpId;
  /** The value sets as JSON, see `valueSets.ts`. */
  readonly result: string;
}

export interface BucketReader {
  /** Returns undefined before the first checkpoint. */
  checkpoint(): Promise<Checkpoint | undefined>;
  /**
   * Returns the checksums of operations up to the checkpoint, in the order of the buckets. For a bucket without operations,
   * checksum and count are 0.
   */
  checksums(checkpoint: OpId, buckets: readonly string[]): Promise<readonly BucketSum[]>;
  /**
   * Returns the next operations with `after < id <= checkpoint`, for buckets in the given order, at most 1000 rows in total. A
   * chunk ends at about 1 MiB of text. An empty result means that there are no more operations. A chunk without operations
   * reports a compaction: see `target`.
   */
  read(checkpoint: OpId, from: readonly BucketPosition[]): Promise<readonly OpChunk[]>;
  /**
   * Returns lookups as of the checkpoint. Lookups without values are absent. Stops reading when there are more than `limit` value
   * sets in total.
   */
  lookups(
    checkpoint: OpId,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly (readonly SqlValue[])[]>>;
}

export interface BucketPosition {
  readonly bucket: string;
  readonly after: OpId;
}

export interface BucketSum {
  readonly bucket: string;
  /** A signed 32-bit integer. */
  readonly checksum: number;
  readonly count: number;
}

/** JSON text. Bytes are the same text in UTF-8, which avoids the creation of a string. */
export type OpText = string | Uint8Array;

export interface OpChunk {
  readonly bucket: string;
  readonly after: OpId;
  readonly nextAfter: OpId;
  /** Whether more operations of this bucket may follow. */
  readonly hasMore: boolean;
  /** The number of operations. */
  readonly count: number;
  /**
   * Each text contains one operation, or several separated by commas, in the form of a line. An operation is JSON:
   * `{"op_id":"7","op":"PUT","object_type":"todos","object_id":"1","checksum":3,"subkey":"1/…","data":"{…}"}`.
   */
  readonly texts: readonly OpText[];
  /**
   * The highest operation that has replaced one of these operations, or a deleted one. If it is above the checkpoint, the
   * checksums of the checkpoint may no longer match.
   */
  readonly target?: OpId;
}

export interface Notice {
  readonly deployment: number;
  readonly checkpoint: Checkpoint;
  /** The changes since the previous notice. Absent: unknown, so everything may have changed. */
  readonly changed?: ChangedParts;
  /** Present if another deployment, or another revision, is serving or may be serving. */
  readonly activated?: { readonly revision: number };
}

export interface ChangedParts {
  readonly buckets: ReadonlySet<string>;
  readonly lookups: ReadonlySet<string>;
}

export interface CompactionOptions {
  /** The full names of the buckets; absent: all buckets. */
  readonly buckets?: readonly string[];
  /** Whether lookup entries are also compacted. */
  readonly lookups: boolean;
  readonly now: number;
  /** The age in milliseconds at which checkpoints that clients asked for themselves are deleted. */
  readonly requestRetention: number;
  readonly signal: AbortSignal;
  /** Awaited between steps of some milliseconds, because other work has precedence. */
  readonly rest?: Rest;
  /** The memory for keys of rows in bytes. With less memory, a bucket is read more often. Default: 48 MB. */
  readonly keyMemory?: number;
}

export interface CompactionReport {
  readonly moved: number;
  readonly cleared: number;
  readonly lookups: number;
  readonly requests: number;
}

/** Approximate sizes in bytes. */
export interface StorageSizes {
  readonly current: number;
  readonly operations: number;
  readonly lookups: number;
}

/** The part of a storage that a process needs if it only serves clients. */
export type ServingStorage = Pick<Storage, 'instanceId' | 'link' | 'reader' | 'watch' | 'close'> & {
  readonly deployments: Pick<DeploymentStore, 'all'>;
  readonly writeCheckpoints: WriteCheckpointStore;
};

/** Write checkpoints: numbers by which a client sees that its own writes have come back. They outlive deployments. */
export interface WriteCheckpointStore {
  /**
   * Creates the next number of the key, which is valid from this position on. Resolves to undefined if the highest number has
   * already been requested.
   */
  create(key: string, position: LogPosition): Promise<bigint | undefined>;
  /** Stores a number that the client chose. */
  request(key: string, id: bigint, position: LogPosition, at: number): Promise<RequestedCheckpoint>;
  /** Returns the highest number whose position has been reached. It never decreases for a key. */
  reached(key: string, position: LogPosition): Promise<bigint | undefined>;
  /** Does the same for many keys, by their ids. Ids without a number are absent. */
  reachedAmong(ids: readonly string[], position: LogPosition): Promise<ReadonlyMap<string, bigint>>;
  /** Returns the id of a key. Absent: the id is the key. */
  idOf?(key: string): string;
  /**
   * Returns the checkpoints that any process has stored since the last call. Undefined: unknown, as for the first call. Absent if
   * the storage cannot know.
   */
  news?(): Promise<readonly StoredCheckpoint[] | undefined>;
  /** Adds a listener, which is called with the position of a number that was read before it was reached. */
  watchAwaited?(listener: (id: string, position: LogPosition) => void): () => void;
  /** Adds a listener, which is called soon after another process has created or stored a number. Absent if nothing reports that. */
  watch?(listener: (key: string, position: LogPosition) => void): () => void;
}

export interface StoredCheckpoint {
  readonly id: string;
  readonly number: bigint;
  readonly position: LogPosition;
}

export interface RequestedCheckpoint {
  /** The greater of the requested and the stored number. */
  readonly id: bigint;
  /** Whether the source must still be marked, so that replication passes the position. */
  readonly needsMark: boolean;
}
