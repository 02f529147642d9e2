/**
 * The contract of a source database. A stream belongs to one deployment and has a slot of its own in the source: it
 * keeps all changes that were not acknowledged, even while nobody reads. `postgres/` reads the log of a server; `embedded/` runs a
 * PostgreSQL in a process of its own and captures changes by triggers. `rows/` decides what follows from their
 * changes, and `jobs/` runs that.
 */
import type { RowlessForm } from '../../engine/model/catalog.ts';
import type { Options } from '../../engine/model/definition.ts';
import type { Row } from '../../engine/plan/evaluate/scope.ts';
import type { TablePattern } from '../../engine/plan/plan.ts';
import type { SqlValue } from '../../engine/plan/values/value.ts';
import type { ServiceErrorCode } from '../ground/errors.ts';
import type { Lsn } from '../ground/lsn.ts';
import type { PassedEvent } from '../storage/deployment.ts';
import type { CopyProgress, NewTable, TableShape } from '../storage/storage.ts';
import type { PreflightCheck } from './preflight.ts';

export interface Source {
  readonly id: string;
  readonly tag: string;
  readonly type: 'postgresql' | 'embedded';
  readonly defaultSchema: string;
  /** The address without credentials: `postgresql://localhost:5432/app`. */
  readonly uri: string;
  /** The address of an embedded database with its password, only for the user who started the service. */
  readonly clientUri?: string;
  /** Whether it answers, and whether its settings allow replication. Never throws. */
  health(): Promise<SourceHealth>;
  /**
   * Proves that the source can be replicated. Never throws.
   *
   * @param patterns the tables of a sync config, or a sentence that says why they are not known
   */
  preflight(patterns: readonly TablePattern[] | string): Promise<readonly PreflightCheck[]>;
  schema(): Promise<readonly SourceSchema[]>;
  /** The tables that match, each once, with the problems that keep them from being replicated. */
  tables(patterns: readonly TablePattern[]): Promise<readonly MatchedTable[]>;
  /** About how many rows would be copied of a table now, and how large they are. */
  measure(table: TableInfo): Promise<TableMeasure>;
  /** Returns the current shape of a table, or undefined if there is none, or its changes do not arrive. */
  shape(oid: number): Promise<TableShape | undefined>;
  /** Returns the identity of the database, and the logs that its own one continues. */
  history(): Promise<SourceHistory>;
  /** Returns the current end of its log. Everything that is committed before this call lies before it. */
  position(): Promise<Lsn>;
  /** Writes something into the log, so that every stream passes the present position even when nothing happens. */
  mark(): Promise<void>;
  /** A statement of the user's that can only read, bounded in time, rows and bytes. */
  query(sql: string, args: readonly (string | number | boolean)[], signal: AbortSignal): Promise<QueryResult>;
  stream(settings: StreamSettings): SourceStream;
  /** Returns the names of all slots of this database, also of those that others have made. */
  slotNames(): Promise<readonly string[]>;
  slotState(slot: string): Promise<SlotState>;
  /** Ends all other streams of a slot. */
  freeSlot(slot: string): Promise<void>;
  /** Silent when there is none. */
  dropSlot(slot: string): Promise<void>;
  /** Absent for a PostgreSQL server: the service keeps serving clients while that is away. */
  readonly link?: SourceLink;
  /** Present for an embedded database. */
  readonly own?: OwnDatabase;
  close(): Promise<void>;
}

/** Whether a database that belongs to the service answers. */
export interface SourceLink {
  /** Whether it has not answered for some time. */
  isLost(): boolean;
  /** Calls back whenever `isLost` changes. Returns the function that stops the calls. */
  watch(listener: () => void): () => void;
}

/** A database that belongs to the service: scripts of the project make its tables. */
interface OwnDatabase {
  /** Returns undefined if the service config names no scripts. */
  scripts(): Promise<ScriptReport | undefined>;
  /** Runs new scripts, and tries skipped statements again. */
  applyScripts(): Promise<void>;
  /**
   * Drops everything in the database and runs the scripts again. Its log continues after `after` and after its last position.
   * Calls made meanwhile wait for the new database; earlier calls that get no answer fail with `reset`.
   *
   * @param onGone called when the old database has ended, before the new one answers
   */
  reset(options: ResetOptions, onGone: () => Promise<void>): Promise<void>;
  /** One row, by its primary key. Fails with a {@link SourceFailure} that says why it was not written. */
  write(change: RowEdit): Promise<WrittenRow>;
  /** Ends a database that is still being made for the first time, at once and for good. */
  abandon(): Promise<void>;
}

export interface RowEdit {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly schema: string;
  readonly table: string;
  /** All columns of the primary key; empty for an insert. Values are the database's text. */
  readonly key: Readonly<Record<string, string | null>>;
  /** Empty of a delete. */
  readonly values: Readonly<Record<string, string | null>>;
}

export interface WrittenRow {
  readonly key: Readonly<Record<string, string | null>>;
  /** The change lies before this. */
  readonly position: Lsn;
}

export interface ResetOptions {
  /** The rows of the new database. `seeds` also runs the scripts with seed data. */
  readonly rows: 'seeds' | 'none';
  readonly after: Lsn;
}

export interface ScriptReport {
  /** How many were run. */
  readonly applied: number;
  /** The scripts that have changed since they were run. */
  readonly changed: readonly string[];
  /** The scripts that were run and no longer exist. */
  readonly removed: readonly string[];
  /** Sentences about unreadable scripts. */
  readonly problems: readonly string[];
  /** The skipped statements in their order. */
  readonly skipped: readonly SkippedStatement[];
}

/** A statement that was left out when its script was run. */
export interface SkippedStatement {
  readonly script: string;
  /** Counted from 1. */
  readonly line: number;
  /** A long one is cut. */
  readonly statement: string;
  /**
   * `server`: it is about the whole server; `files`: about files of its machine, or of another project; `psql`: a command
   * of psql; `timeout`: it took too long; `ended`: it ended the database; `plain`: it failed, and its table was made without
   * defaults, checks and references.
   */
  readonly reason: 'failed' | 'plain' | 'server' | 'files' | 'psql' | 'timeout' | 'ended';
  /** After a failure: the database's SQLSTATE. */
  readonly code?: string;
  /** After a failure: the database's sentence. Of a statement that ended the database: why. */
  readonly message?: string;
  readonly makes: readonly SkippedTable[];
  readonly adds: readonly (SkippedTable & { readonly column: string })[];
}

export interface SkippedTable {
  readonly schema: string;
  readonly name: string;
}

export interface SourceHealth {
  readonly connected: boolean;
  readonly problems: readonly SourceProblem[];
}

export interface SourceProblem {
  readonly level: 'warning' | 'fatal';
  readonly message: string;
  readonly code?: ServiceErrorCode;
  /**
   * For programs. `missing`: the source does not have the table. `scripts`: the scripts of the project are not those that
   * were run. `left out`: a statement that makes a table or a column was not run.
   */
  readonly kind?: 'missing' | 'scripts' | 'left out';
}

export interface SourceSchema {
  readonly name: string;
  readonly tables: readonly ListedTable[];
}

export interface ListedTable {
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** Its policies say who may see which rows. */
  readonly rowSecurity: boolean;
  /** Why it is not replicated. Absent: an ordinary table. */
  readonly form?: RowlessForm;
}

export interface SourceColumn {
  readonly name: string;
  /** The name of the type in the source, for example `character varying(255)[]`. */
  readonly displayType: string;
  /** Short name, e.g. `varchar[]`. */
  readonly shortType: string;
  /** Flags: blob 1, text 2, integer 4, real 8. */
  readonly sqliteType: number;
}

/** A table as the log describes it before a row of it. */
export interface LoggedTable {
  readonly columns: readonly LoggedColumn[];
  /** The number of the transaction with the row. */
  readonly transaction: number;
}

interface LoggedColumn {
  readonly name: string;
  /** The number of its type. */
  readonly type: number;
}

/** A table of the source as replication sees it. */
export interface TableInfo extends Omit<NewTable, 'copied' | 'progress'> {
  readonly estimatedRows?: number;
  /** The rows in the log from here on, where the log has nothing else about the table's shape. */
  readonly logged?: LoggedTable;
  /** Columns that updates may leave out because they did not change; absent: any may be; empty: rows are always whole. */
  readonly omitted?: readonly string[];
}

export interface TableMeasure {
  readonly rows: number;
  /** The size of a row in the source. */
  readonly bytesPerRow: number;
}

export interface MatchedTable {
  readonly pattern: TablePattern;
  /** Absent: nothing matches a pattern without wildcard. */
  readonly table?: TableInfo;
  readonly problems: readonly SourceProblem[];
  /** Whether its changes arrive. They do not outside of the publication, for example. */
  readonly replicated: boolean;
}

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** There are more. */
  readonly truncated: boolean;
}

export interface SourceHistory {
  /** See `Provenance`. */
  readonly system: string;
  /**
   * The timelines that lead to the present one, which is the last; each of the others with the beginning of the next one. Absent if
   * unknown: a replica follows another server to any timeline.
   */
  readonly timelines?: readonly Timeline[];
}

export interface Timeline {
  readonly id: string;
  readonly end?: Lsn;
}

export interface SlotState {
  readonly kind: 'absent' | 'ready' | 'lost';
  /** The reason of the loss in the source's words. */
  readonly reason?: string;
  readonly confirmed?: Lsn;
  /** The end of the log. Absent if it may be before the read position, as after the crash of a replica. */
  readonly end?: Lsn;
  readonly lagBytes?: number;
  readonly walStatus?: string;
  readonly safeWalSize?: number;
  readonly maxWalSize?: number;
}

export interface StreamSettings {
  readonly slot: string;
  readonly patterns: readonly TablePattern[];
  /** The options of the config, which decide how dates are written. */
  readonly options: Options;
  /** Called with each connection that the log is read by, before anything is read. Fails if it is not to be read. */
  readonly onConnection?: (history: SourceHistory) => void;
  /** Called on every sign of life: progress, keepalives. */
  readonly onProgress: () => void;
  /** Called with the reason of a long wait that somebody may have to end, and with undefined when it is over. */
  readonly onWaiting: (reason: string | undefined) => void;
}

/** Reads for one deployment; one user at a time. All methods fail with {@link SourceFailure}. */
export interface SourceStream {
  /** Makes sure that the slot exists; `created` if it did not, so that the copy begins again. May take long. */
  prepare(signal: AbortSignal): Promise<'kept' | 'created'>;
  /**
   * Resolves when {@link copy} and {@link refetch} see everything that {@link changes} has sent, or something
   * later.
   */
  settle(signal: AbortSignal): Promise<void>;
  /** Rows of a table in pages, from after `progress.lastKey` if there is one. */
  copy(table: TableInfo, progress: CopyProgress | undefined, signal: AbortSignal): AsyncIterable<CopyPage>;
  /** Returns the changes since the last acknowledged position. Ends when the signal is aborted. */
  changes(signal: AbortSignal): AsyncIterable<ChangeChunk>;
  /** The end of a further transaction has arrived, with what comes next of {@link changes}. */
  endsAgain(): boolean;
  /** All before it is stored durably: the source may forget it. */
  acknowledge(lsn: Lsn): void;
  /** Reads rows again by their key: for values that an update left out. Only tables whose key is a single column. */
  refetch(table: TableInfo, keys: readonly SqlValue[], signal: AbortSignal): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export interface CopyPage {
  readonly rows: readonly Row[];
  /** Values that could not be converted: the rows are left out. */
  readonly failed: readonly FailedRow[];
  readonly progress: CopyProgress;
  /** Whether it shows the same state of the source as the previous page, because both are of one statement. */
  readonly isOfSameState?: true;
  /** Present on the last page: the end of the source's log after the copy was read. */
  readonly position?: Lsn;
}

export interface FailedRow {
  /** Its identity columns. */
  readonly identity: Row;
  readonly message: string;
}

/** Events in the order of the log. A chunk ends anywhere; `commit` events say where transactions end. */
export interface ChangeChunk {
  readonly events: readonly ChangeEvent[];
}

export type ChangeEvent =
  /** `last`: the event that will end it, where that is known already. */
  | { readonly kind: 'begin'; readonly at: number; readonly last?: PassedEvent }
  /** Precedes the first change of a table on a connection and follows every change of its definition. */
  | { readonly kind: 'table'; readonly table: TableInfo }
  | { readonly kind: 'insert'; readonly oid: number; readonly row: ChangedRow }
  /** `old` holds the identity columns, when they changed or the source always sends them. */
  | { readonly kind: 'update'; readonly oid: number; readonly row: ChangedRow; readonly old?: Row }
  | { readonly kind: 'delete'; readonly oid: number; readonly old: Row }
  | { readonly kind: 'truncate'; readonly oids: readonly number[] }
  | ({ readonly kind: 'commit'; readonly lsn: Lsn } & EventOfLog)
  /**
   * Outside of transactions: nothing before this position is missing. `marked`: it is to be remembered. `passing`: it is
   * nothing's own place in the log, and need not come again.
   */
  | ({
      readonly kind: 'keepalive';
      readonly lsn: Lsn;
      readonly marked: boolean;
      readonly passing?: true;
    } & EventOfLog);

interface EventOfLog {
  /** Distinguishes it from another event at the same position. */
  readonly mark?: string;
  /** A position before its last record. Absent if it is unknown. */
  readonly from?: Lsn;
}

/** No transaction is open after it. */
export function isEnd({ kind }: ChangeEvent): boolean {
  return kind === 'commit' || kind === 'keepalive';
}

export interface ChangedRow {
  readonly values: Row;
  /** Columns that the source did not send because they did not change. */
  readonly unchanged?: readonly string[];
  /** Why the row cannot be used: a value that cannot be converted, or it is too large. Identity columns are there. */
  readonly failure?: string;
}

export type FailureKind =
  | 'unreachable'
  | 'refused'
  | 'slot-missing'
  | 'slot-lost'
  /** The storage is older than what the source was asked to forget. */
  | 'storage-outdated'
  /** The log is not the one that was read before. */
  | 'other-history'
  | 'slot-busy'
  | 'settings'
  | 'closed'
  /** The database is being made again, as it was asked to be. */
  | 'reset'
  | 'other';

/** An error of the source with what it means for the next attempt; the message is safe to show. */
export class SourceFailure extends Error {
  readonly kind: FailureKind;
  readonly code: ServiceErrorCode;

  constructor(kind: FailureKind, code: ServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.code = code;
  }
}

/** Whether its database is only being made again. */
export function isReset(error: unknown): boolean {
  return error instanceof SourceFailure && error.kind === 'reset';
}

export type { TableShape };
