/**
 * The contract of a source database. A stream belongs to one deployment and has a slot of its own in the source: it
 * keeps what has not been acknowledged, also while nobody reads. `postgres/` reads the log of a server; `embedded/` runs a
 * PostgreSQL in a process of its own and captures changes by triggers. What their changes lead to is decided in `rows/`,
 * and `jobs/` runs it.
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

export interface Source {
  readonly id: string;
  readonly tag: string;
  readonly type: 'postgresql' | 'embedded';
  readonly defaultSchema: string;
  /** Without credentials: `postgresql://localhost:5432/app`. */
  readonly uri: string;
  /** With its password, of one that the service brings along: only for whoever started the service. */
  readonly clientUri?: string;
  /** Whether it answers, and whether its settings allow replication. Never throws. */
  health(): Promise<SourceHealth>;
  schema(): Promise<readonly SourceSchema[]>;
  /** The tables that match, each once, with the problems that keep them from being replicated. */
  tables(patterns: readonly TablePattern[]): Promise<readonly MatchedTable[]>;
  /** About how many rows would be copied of a table now, and how large they are. */
  measure(table: TableInfo): Promise<TableMeasure>;
  /** As the table is now; undefined when there is none, or its changes do not arrive. */
  shape(oid: number): Promise<TableShape | undefined>;
  /** Which database this is, and which logs its own one goes on. */
  history(): Promise<SourceHistory>;
  /** Where its log ends now: what is committed before this call lies before it. */
  position(): Promise<Lsn>;
  /** Writes something into the log, so that every stream passes the present position even when nothing happens. */
  mark(): Promise<void>;
  /** A statement of the user's that can only read, bounded in time, rows and bytes. */
  query(sql: string, args: readonly (string | number | boolean)[], signal: AbortSignal): Promise<QueryResult>;
  stream(settings: StreamSettings): SourceStream;
  /** The names of those of this database, whoever has made them. */
  slotNames(): Promise<readonly string[]>;
  slotState(slot: string): Promise<SlotState>;
  /** Whoever else follows changes from it does not any longer. */
  freeSlot(slot: string): Promise<void>;
  /** Silent when there is none. */
  dropSlot(slot: string): Promise<void>;
  /** Absent for a PostgreSQL server: the service keeps serving clients while that is away. */
  readonly link?: SourceLink;
  /** Only of an embedded database. */
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
  /** Undefined if the service config names none. */
  scripts(): Promise<ScriptReport | undefined>;
  /** Runs scripts that are new, and tries again what was left out. */
  applyScripts(): Promise<void>;
  /**
   * Drops all that is in it and runs the scripts again. Its log goes on after `after` and after where it was. Calls made
   * meanwhile wait for the new database; earlier ones that get no answer fail with `reset`.
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
  /** `seeds`: scripts that make rows to begin with are run, too. */
  readonly rows: 'seeds' | 'none';
  readonly after: Lsn;
}

export interface ScriptReport {
  /** How many were run. */
  readonly applied: number;
  /** Those that are different from what was run. */
  readonly changed: readonly string[];
  /** Scripts that were run and no longer exist. */
  readonly removed: readonly string[];
  /** What of the scripts cannot be read, in sentences. */
  readonly problems: readonly string[];
  /** In their order. */
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
   * For programs. `scripts`: those of the project are not those that were run; `left out`: a statement that makes a table
   * or a column was not run.
   */
  readonly kind?: 'scripts' | 'left out';
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
  /** As the source calls it, e.g. `character varying(255)[]`. */
  readonly displayType: string;
  /** Short name, e.g. `varchar[]`. */
  readonly shortType: string;
  /** Flags: blob 1, text 2, integer 4, real 8. */
  readonly sqliteType: number;
}

/** A table of the source as replication sees it. */
export interface TableInfo extends Omit<NewTable, 'copied' | 'progress'> {
  readonly estimatedRows?: number;
  /** Columns that updates may leave out because they did not change; absent: any may be; empty: rows are always whole. */
  readonly omitted?: readonly string[];
}

export interface TableMeasure {
  readonly rows: number;
  /** As the source stores them. */
  readonly bytesPerRow: number;
}

export interface MatchedTable {
  readonly pattern: TablePattern;
  /** Absent: nothing matches a pattern without wildcard. */
  readonly table?: TableInfo;
  readonly problems: readonly SourceProblem[];
  /** False when its changes do not arrive, e.g. outside of the publication. */
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
   * Those that lead to the present one, which is the last. Of the others: where the next one has begun. Absent where that
   * is not known, as of a replica, which follows another server to wherever it goes.
   */
  readonly timelines?: readonly Timeline[];
}

export interface Timeline {
  readonly id: string;
  readonly end?: Lsn;
}

export interface SlotState {
  readonly kind: 'absent' | 'ready' | 'lost';
  /** In the source's words: why it was lost. */
  readonly reason?: string;
  readonly confirmed?: Lsn;
  /** The end of the log; absent if that may be before what was read, as after the crash of a replica. */
  readonly end?: Lsn;
  readonly lagBytes?: number;
  readonly walStatus?: string;
  readonly safeWalSize?: number;
  readonly maxWalSize?: number;
}

export interface StreamSettings {
  readonly slot: string;
  readonly patterns: readonly TablePattern[];
  /** How dates show in this config. */
  readonly options: Options;
  /** Called with each connection that the log is read by, before anything is read. Fails if it is not to be read. */
  readonly onConnection?: (history: SourceHistory) => void;
  /** Called on every sign of life: progress, keepalives. */
  readonly onProgress: () => void;
  /** What it has been waiting for, for some time, that somebody may have to end; undefined: no longer. */
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
  /** From what was acknowledged last. Ends when the signal is aborted. */
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
  /** It shows the source as it was for the page before: both are of one statement. */
  readonly isOfSameState?: true;
  /** With the last page: where the source's log ended after the copy was read. */
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
  /** Where its last record begins is after this; absent: not known. */
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
