/**
 * The contract of a storage: the data that the service keeps, and the promises about it.
 * It does not know what a sync config, a source or a client is.
 *
 * - One sequence of ids for operations and lookup entries of all deployments: strictly increasing, given in the order
 *   of writing inside the writing transaction, never started again.
 * - What a method has returned is durable. What a crash interrupts has happened wholly or not at all, but for
 *   the rows of a batch: the first of them may be there.
 * - Written operations are invisible until a commit publishes a checkpoint at or after them. No operation at or below
 *   a published checkpoint of its deployment ever appears later.
 */
import type { SqlValue } from '../../engine/plan/values/value.ts';
import type { Lsn } from '../ground/lsn.ts';
import type { Decide, Deployment, OpId, PassedEvent, Provenance } from './deployment.ts';
import type { StorageLink } from './link.ts';

export type { OpId };

export interface Storage {
  /** Random, made once with the storage. */
  readonly instanceId: string;
  /** Absent where the storage is in this process. */
  readonly link?: StorageLink;
  readonly deployments: DeploymentStore;
  readonly writeCheckpoints: WriteCheckpointStore;
  /** Takes the right to write for a deployment; undefined while another process has it. */
  writer(deployment: number): Promise<ReplicationWriter | undefined>;
  reader(deployment: number): BucketReader;
  stored(deployment: number): StoredContents;
  /** Calls back after every commit that clients may see, and when another deployment becomes the active one. */
  watch(listener: (notice: Notice) => void): () => void;
  /**
   * Calls back when data was deleted or rolled back, so that another process that reads it forgets what it remembers.
   * Absent where other processes find out by themselves.
   */
  onDoubt?(forget: () => void): void;
  /** The problem to report if nothing is deployed, because a recovery from corruption may have found no sync config. */
  readonly lostConfig?: string;
  /** Reports that another process has found the storage to be corrupt. Absent where no other process reads its files. */
  distrust?(message: string): void;
  /** Ends early when the deployment is stopped: then all of it will be deleted. */
  compact(deployment: number, options: CompactionOptions): Promise<CompactionReport>;
  /**
   * Deletes a stopped deployment's data in batches; its record stays. Repeatable after a crash.
   * @param rest awaited between steps, each of some milliseconds; absent: nobody else is to come first
   */
  clear(deployment: number, signal: AbortSignal, rest?: Rest): Promise<void>;
  /**
   * Deletes the buckets and lookups of a deployment that nobody writes or reads any more, in batches: all but those with one
   * of these names before the `[`. Repeatable after a crash.
   */
  clearParts(deployment: number, kept: ReadonlySet<string>, signal: AbortSignal, rest?: Rest): Promise<void>;
  sizes(): Promise<StorageSizes>;
  /**
   * Returns the number of buckets of a deployment, by the part before the `[` of their names. Counts up to `most` in all:
   * undefined if there are more.
   */
  countBuckets(deployment: number, most: number): Promise<ReadonlyMap<string, number> | undefined>;
  /** Returns the current number of rows of a deployment's source tables. Tables with more than `most` are left out. */
  countRows(deployment: number, most: number): Promise<readonly RowCount[]>;
  close(): Promise<void>;
}

/** Lets others work for a while. */
export type Rest = () => Promise<void>;

export interface RowCount {
  readonly schema: string;
  readonly name: string;
  readonly rows: number;
}

export interface DeploymentStore {
  /** Returns all deployments that ever existed, oldest first. */
  all(): Promise<readonly Deployment[]>;
  /** Decides and applies in one transaction; returns the records as they are then. */
  change(decide: Decide): Promise<readonly Deployment[]>;
  /** Calls back when another process has changed the records, or may have. */
  watch(listener: () => void): () => void;
}

/** Writes for one deployment. One at a time: the next call only after the last one has been awaited. */
export interface ReplicationWriter {
  /**
   * Whether operations were stored, when the writer was opened, that no commit had followed. A part of a transaction of the
   * source may be there, and the transaction comes again. Hold checkpoints until the source's present position to publish it
   * entirely.
   */
  readonly isInterrupted: boolean;
  /** The process that wrote before has not given the right back: it may still be there, and not know yet. */
  readonly hasTakenOver?: boolean;
  /** Aborted when another process is found to write; absent where there can be none. */
  readonly lost?: AbortSignal;
  /** Fails when the right was lost or given back. */
  demand(): Promise<void>;
  tables(): Promise<readonly StoredTable[]>;
  /** Inserts (without id) or replaces, but for the problems of its rows; returns it with its id. */
  putTable(table: NewTable | StoredTable): Promise<StoredTable>;
  putRowProblems(table: number, problems: readonly RowProblem[]): Promise<void>;
  /** After its rows are gone. */
  deleteTable(table: number): Promise<void>;
  /** Returns the rows in the order of the keys; undefined for a key without a row. */
  currentRows(table: number, keys: readonly string[]): Promise<readonly (CurrentRow | undefined)[]>;
  /** Returns some stored rows of a table, for truncate and drop, which repeat it until none remains. */
  someRows(table: number, limit: number): Promise<readonly CurrentRow[]>;
  /**
   * Durable when it returns, ids in order; what a crash leaves is the first rows of it, and no progress. Invisible until
   * {@link commit}. Returns the last id that was given, which is an earlier one when more follows.
   */
  write(batch: WriteBatch): Promise<OpId>;
  /** Publishes a checkpoint at this position if it is allowed (docs: the rule of consistency). */
  commit(lsn: Lsn, options: CommitOptions): Promise<CommitResult>;
  /** No checkpoint is published before this position; only ever raised. */
  holdCheckpoints(until: Lsn): Promise<void>;
  /** The position at which the log will be read from, before anything of it was read. */
  beginLog(lsn: Lsn): Promise<void>;
  /** The stored data was read from this source, and replication continues with it. */
  belongTo(origin: Provenance): Promise<void>;
  /** All tables are copied. */
  finishSnapshot(lsn: Lsn): Promise<void>;
  /** Everything of this deployment but its record: the copy starts over. */
  reset(): Promise<void>;
  /** Gives the right to write back. */
  release(): Promise<void>;
}

export interface WriteBatch {
  readonly rows: readonly RowWrite[];
  /** A table whose progress becomes durable together with its rows. */
  readonly progress?: StoredTable;
  /**
   * Whether more follows. Then the batch may become durable only together with the next call that changes something, and is
   * lost with it. After that, every call of this writer fails.
   */
  readonly goesOn?: boolean;
  /** The rows are a part of what ends with this event: it is remembered as the last one as soon as they are durable. */
  readonly last?: PassedEvent;
}

/** All results of one change of a row. */
export interface RowWrite {
  readonly table: number;
  /** Identity of the source row: a UUID, see `replication/identity.ts`. */
  readonly key: string;
  readonly ops: readonly NewOp[];
  readonly lookups: readonly NewLookup[];
  /** The row from now on; null: it does not exist. */
  readonly current: Omit<CurrentRow, 'key'> | null;
  /** Whether `current` is already stored, provided that the writes before this one have happened. */
  readonly isStored?: boolean;
  /** The row is taken for a new one. If something is stored of it all the same, this is written instead. */
  readonly ifStored?: ((before: CurrentRow) => RowWrite) | undefined;
}

export interface NewOp {
  readonly bucket: string;
  readonly op: 'PUT' | 'REMOVE';
  /** Unsigned 32 bits. */
  readonly checksum: number;
  readonly type: string;
  readonly id: string;
  readonly subkey: string;
  /** JSON text exactly as it will be sent; absent for REMOVE. */
  readonly data?: string;
}

export interface NewLookup {
  readonly lookup: string;
  /** Value sets of this source row under this lookup; empty: no longer any. */
  readonly values: readonly (readonly SqlValue[])[];
}

export interface CurrentRow {
  readonly key: string;
  /** The values as their writer encoded them; empty if the source always sends whole rows. */
  readonly values: Uint8Array | undefined;
  readonly memberships: readonly Membership[];
  readonly lookups: readonly string[];
  /** The storage has more, which counts no longer. */
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
  /** The source's own number for it. */
  readonly oid: number;
  readonly identity: readonly IdentityColumn[];
  readonly identityKind: 'default' | 'index' | 'full' | 'nothing';
  readonly copied: boolean;
  readonly progress?: CopyProgress;
  /** The shape of the table when it was copied. Absent if an earlier release has copied it. */
  readonly shape?: TableShape;
  /** The progress of its copy for the deployment that is to take over. */
  readonly beside?: BesideProgress;
}

/** The progress of copying a part that a deployment does not have yet. */
export interface BesideProgress {
  /** The deployment that asks for it. */
  readonly deployment: number;
  readonly copied: boolean;
  /** Absent: nothing is. */
  readonly progress?: CopyProgress;
  /** The latest position that the rows read so far may show. */
  readonly readUpTo?: Lsn;
}

/** The source's own numbers of what may go and come back under the same name. */
export interface TableShape {
  /** The reason why the table is replicated; empty if that cannot end. */
  readonly membership: string;
  /** The numbers of its columns, by name. */
  readonly columns: Readonly<Record<string, number>>;
  /**
   * The names of the columns that the log has, in its order; of a stored table, at the time of the copy. Absent if the log does not
   * describe columns, or if an earlier release has copied the table.
   */
  readonly published?: readonly string[];
  /** The columns' definitions, by name. Absent where an earlier release has copied the table. */
  readonly details?: Readonly<Record<string, ColumnShape>>;
  /** The transactions that had changed definitions of columns by the time of the copy. Absent as for `published`. */
  readonly copiedAfter?: readonly string[];
  /** The number of the file with the table's rows: another one after a rewrite. */
  readonly file?: number;
  /** Whether equal rows cannot be distinguished. */
  readonly isKeyless?: true;
}

/** The parts of a column's definition that decide which values existing rows have. */
export interface ColumnShape {
  /** The type as SQL names it, for messages. */
  readonly displayType: string;
  /** The transaction that changed the definition last. */
  readonly changedBy: string;
  /** Rows from before the column was added have a value of it. */
  readonly isFilled: boolean;
  /** If one of these changes, so may the values of existing rows. */
  readonly facts: Readonly<Record<string, string | null>>;
}

export interface StoredTable extends NewTable {
  readonly id: number;
  /** The problems of rows when the tables were read. */
  readonly rowProblems?: readonly RowProblem[];
}

/** A row that clients do not get as they should. */
export interface RowProblem {
  /** Identity of the source row, as of {@link RowWrite}. */
  readonly key: string;
  /** The row for messages: `id=7`. */
  readonly row: string;
  /** The kind of problem. */
  readonly kind: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface IdentityColumn {
  readonly name: string;
  /** Name of the source's type. */
  readonly type: string;
}

export interface CopyProgress {
  readonly copiedRows: number;
  /** The estimated number of rows. Undefined if the source does not know. */
  readonly estimatedRows?: number;
  /** Text of the last key in the source's own order; absent when this table cannot be resumed. */
  readonly lastKey?: string;
}

export interface CommitOptions {
  /** Decides what a checkpoint means for the deployments while this one is not active. Applied in the same transaction. */
  readonly activate: Decide;
  /** Decides what a checkpoint means while this one is active. Applied in the same transaction. Absent: nothing. */
  readonly takeOver?: Decide;
  /** Time of it, in milliseconds since 1970. */
  readonly at: number;
  /** The last event that was read; absent: none was. It is remembered whether the position is published or not. */
  readonly last?: PassedEvent;
  /** The position before which the source may forget its log, once this is stored; absent: the position of the commit. */
  readonly acknowledges?: Lsn;
}

export interface CommitResult {
  /** Whether the checkpoint was published. False while the rule of consistency forbids a checkpoint at this position. */
  readonly published: boolean;
  readonly checkpoint?: Checkpoint;
  /** The deployments after it, when `activate` changed something. */
  readonly changed?: readonly Deployment[];
  /** `activate` changed nothing: clients must not see the checkpoint, and a later one will ask again. */
  readonly putOff?: true;
}

export interface Checkpoint {
  readonly opId: OpId;
  readonly lsn: Lsn;
}

/**
 * The stored data of a deployment, for a comparison with the source. It may be newer than the published
 * checkpoint.
 */
export interface StoredContents {
  tables(): Promise<readonly StoredTable[]>;
  /** Returns some buckets after the given one, in the order in which they were created. */
  bucketsAfter(bucket: number): Promise<readonly StoredBucket[]>;
  /** Rows of a table in the order of their keys, some at a time: those after the given one. */
  rowsAfter(table: number, key: string | undefined): Promise<readonly CurrentRow[]>;
  /** Returns the rows in the order of the keys; undefined for a key without a row. */
  currentRows(table: number, keys: readonly string[]): Promise<readonly (CurrentRow | undefined)[]>;
  /** Entries up to a checkpoint, some at a time: those of a row under a lookup follow each other by their ids. */
  lookupsAfter(checkpoint: OpId, entry: StoredLookup | undefined): Promise<readonly StoredLookup[]>;
  /** Returns the number of values under some keys after the given one, as of a checkpoint. */
  lookupSizesAfter(checkpoint: OpId, lookup: string | undefined): Promise<readonly LookupSize[]>;
  /** The latest entries of these rows, as of a checkpoint. */
  lookupsOf(checkpoint: OpId, wanted: readonly LookupPlace[]): Promise<readonly StoredLookup[]>;
}

export interface StoredBucket {
  readonly id: number;
  readonly name: string;
}

export interface LookupSize {
  readonly lookup: string;
  readonly values: number;
  /** The maximum number of different ones. */
  readonly distinct: number;
}

export interface LookupPlace {
  readonly lookup: string;
  readonly table: number;
  readonly key: string;
}

export interface StoredLookup extends LookupPlace {
  readonly opId: OpId;
  /** The value sets as JSON text, see `valueSets.ts`. */
  readonly result: string;
}

export interface BucketReader {
  /** Undefined before the first one. */
  checkpoint(): Promise<Checkpoint | undefined>;
  /** Returns the sums of operations up to the checkpoint, in the order of the buckets. A bucket without any has 0 and 0. */
  checksums(checkpoint: OpId, buckets: readonly string[]): Promise<readonly BucketSum[]>;
  /**
   * The next operations with `after < id <= checkpoint`, buckets in the given order, at most 1000 rows in all; a chunk
   * ends at about 1 MiB of text. Empty: there are none left. A chunk without any reports a compaction: see `target`.
   */
  read(checkpoint: OpId, from: readonly BucketPosition[]): Promise<readonly OpChunk[]>;
  /**
   * Returns lookups as of the checkpoint. Lookups without values are absent. Stops reading once it has over `limit` value sets
   * in all.
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
  /** Signed 32 bits. */
  readonly checksum: number;
  readonly count: number;
}

/** Bytes: the same in UTF-8, for which no string has to be made. */
export type OpText = string | Uint8Array;

export interface OpChunk {
  readonly bucket: string;
  readonly after: OpId;
  readonly nextAfter: OpId;
  /** Whether more of this bucket may follow. */
  readonly hasMore: boolean;
  /** Operations. */
  readonly count: number;
  /**
   * Each of one operation or of several with commas between them, as a line carries them; an operation is the JSON text
   * `{"op_id":"7","op":"PUT","object_type":"todos","object_id":"1","checksum":3,"subkey":"1/…","data":"{…}"}`.
   */
  readonly texts: readonly OpText[];
  /**
   * Highest operation that superseded one of these, or one that is gone: above the checkpoint, its checksums may not hold
   * any more.
   */
  readonly target?: OpId;
}

export interface Notice {
  readonly deployment: number;
  readonly checkpoint: Checkpoint;
  /** The changes since the previous notice; absent: unknown, so everything may have changed. */
  readonly changed?: ChangedParts;
  /** Another deployment serves, or another revision of it; or that may be so. */
  readonly activated?: { readonly revision: number };
}

export interface ChangedParts {
  readonly buckets: ReadonlySet<string>;
  readonly lookups: ReadonlySet<string>;
}

export interface CompactionOptions {
  /** Full names; absent: all. */
  readonly buckets?: readonly string[];
  /** Lookup entries as well. */
  readonly lookups: boolean;
  readonly now: number;
  /** Checkpoints that clients asked for themselves are dropped when older, in milliseconds. */
  readonly requestRetention: number;
  readonly signal: AbortSignal;
  /** Awaited between steps, each of some milliseconds: others come first. */
  readonly rest?: Rest;
  /** Bytes of keys of rows that are remembered at once: with less, a bucket is read more often. Default: 48 MB. */
  readonly keyMemory?: number;
}

export interface CompactionReport {
  readonly moved: number;
  readonly cleared: number;
  readonly lookups: number;
  readonly requests: number;
}

/** Bytes, approximately. */
export interface StorageSizes {
  readonly current: number;
  readonly operations: number;
  readonly lookups: number;
}

/** The part of a storage that a process needs which only serves clients. */
export type ServingStorage = Pick<Storage, 'instanceId' | 'link' | 'reader' | 'watch' | 'close'> & {
  readonly deployments: Pick<DeploymentStore, 'all'>;
  readonly writeCheckpoints: WriteCheckpointStore;
};

/** Numbers that tell a client when its own writes have come back. They outlive deployments. */
export interface WriteCheckpointStore {
  /** The next number of the key, valid from this position on; undefined when the highest one was asked for before. */
  create(key: string, lsn: Lsn): Promise<bigint | undefined>;
  /** A number that the client chose. */
  request(key: string, id: bigint, lsn: Lsn, at: number): Promise<RequestedCheckpoint>;
  /** Returns the highest number whose position is reached; never less than an earlier answer for the key. */
  reached(key: string, lsn: Lsn): Promise<bigint | undefined>;
  /** The same of many keys, by their ids: those of which there is a number. */
  reachedAmong(ids: readonly string[], lsn: Lsn): Promise<ReadonlyMap<string, bigint>>;
  /** Returns the identifier for finding it; absent: the key. */
  idOf?(key: string): string;
  /**
   * Returns the checkpoints that any process has stored since the last call; undefined: unknown, as for the first call. Absent
   * if the storage cannot know.
   */
  news?(): Promise<readonly StoredCheckpoint[] | undefined>;
  /** Calls back with the position of a number that was asked for before it was reached. */
  watchAwaited?(listener: (id: string, lsn: Lsn) => void): () => void;
  /** Calls back soon after another process has created or stored one; absent where nobody says so. */
  watch?(listener: (key: string, lsn: Lsn) => void): () => void;
}

export interface StoredCheckpoint {
  readonly id: string;
  readonly number: bigint;
  readonly lsn: Lsn;
}

export interface RequestedCheckpoint {
  /** The greater one of the requested and the stored number. */
  readonly id: bigint;
  /** Whether the source must still be marked so that replication passes the position. */
  readonly needsMark: boolean;
}
