/**
 * The contract of a source database. A stream belongs to one deployment. The source keeps a backlog for each: all changes that
 * it has not acknowledged, even while nothing is reading. One source reads the log of a server; another runs a database in a separate
 * process and captures changes with triggers. `rows/` converts the changes to writes, and `jobs/` runs the work.
 */
import type { ColumnReference, RowlessForm, TriggerEvent } from '../../engine/model/catalog.ts';
import type { Options } from '../../engine/model/definition.ts';
import type { Row } from '../../engine/plan/evaluate/scope.ts';
import type { TablePattern } from '../../engine/plan/plan.ts';
import type { SqlValue } from '../../engine/plan/values/value.ts';
import type { ServiceErrorCode } from '../ground/errors.ts';
import type { LogPosition } from '../ground/logPosition.ts';
import type { TableId } from '../ground/sourceIds.ts';
import type { PassedEvent } from '../storage/deployment.ts';
import type { CopyProgress, NewTable, TableShape } from '../storage/storage.ts';
import type { HistoryBreak } from './historyBreak.ts';
import type { PreflightCheck } from './preflight.ts';

export interface Source {
  readonly id: string;
  readonly tag: string;
  readonly type: 'postgresql' | 'embedded';
  readonly defaultSchema: string;
  /** The address without credentials. */
  readonly uri: string;
  /** The address of an embedded database with its password, only for the user who started the service. */
  readonly clientUri?: string;
  /** Returns whether the source answers, and whether its settings allow replication. Never rejects. */
  health(): Promise<SourceHealth>;
  /**
   * Proves that the source can be replicated. Never rejects.
   *
   * @param patterns the tables of a sync config, or a sentence that explains why they are unknown
   */
  preflight(patterns: readonly TablePattern[] | string): Promise<readonly PreflightCheck[]>;
  schema(): Promise<readonly SourceSchema[]>;
  /** Returns the matching tables, each once, with the problems that prevent their replication. */
  tables(patterns: readonly TablePattern[]): Promise<readonly MatchedTable[]>;
  /** Returns the approximate number of rows of a table that would be copied now, and their size. */
  measure(table: TableInfo): Promise<TableMeasure>;
  /** Returns the current shape of a table, or undefined if the table does not exist or its changes are not replicated. */
  shape(sourceId: TableId): Promise<TableShape | undefined>;
  /** Returns the identity of the database, and the former branches that its log continues. */
  history(): Promise<SourceHistory>;
  /** Returns the current end of the log. Everything that was committed before this call precedes it. */
  position(): Promise<LogPosition>;
  /** Writes a mark into the log, so that every stream passes the current position even if nothing else happens. */
  mark(): Promise<void>;
  /** Runs a statement of the user that can only read, with limits for time, rows and bytes. */
  query(sql: string, args: readonly (string | number | boolean)[], signal: AbortSignal): Promise<QueryResult>;
  stream(settings: StreamSettings): SourceStream;
  /** Returns the names under which this database keeps changes, including those of other services. */
  backlogNames(): Promise<readonly string[]>;
  backlog(deploymentName: string): Promise<SourceBacklog>;
  /** Ends all other streams of a deployment. */
  endReaders(deploymentName: string): Promise<void>;
  /** Drops the changes that are kept for a deployment, and keeps no further ones. Does nothing if there are none. */
  dropBacklog(deploymentName: string): Promise<void>;
  /** Describes a backlog in a sentence. `undefined`: the source does not answer. */
  backlogHealth(backlog: SourceBacklog | undefined, isCopied: boolean): BacklogHealth;
  /** Returns the failure, with a sentence that names the remedy. */
  explain(found: HistoryBreak): SourceFailure;
  /** Absent for a separate server, because the service keeps serving clients while the server is not available. */
  readonly link?: SourceLink;
  /** Present for an embedded database. */
  readonly own?: OwnDatabase;
  close(): Promise<void>;
}

/**
 * The time in milliseconds after which a source that has not answered counts as silent: its state is then unknown. Clients wait
 * longer for an answer of a service that is alive.
 */
export const sourcePatience = 5_000;

/** Shows whether a database that belongs to the service answers. */
export interface SourceLink {
  /** Whether the database has not answered for some time. */
  isLost(): boolean;
  /** Adds a listener, which is called whenever `isLost` changes. Returns the function that removes it. */
  watch(listener: () => void): () => void;
}

/** A database that belongs to the service. Scripts of the project create its tables. */
interface OwnDatabase {
  /** Returns undefined if the service config names no scripts. */
  scripts(): Promise<ScriptReport | undefined>;
  /**
   * Returns the scripts that have run since the last call, including those at the start. Waits until there are any, or until the
   * signal is aborted. Only one caller may use it.
   */
  scriptRuns(signal: AbortSignal): Promise<readonly ScriptRun[]>;
  /** Runs new scripts, and tries skipped statements again. */
  applyScripts(): Promise<void>;
  /**
   * Drops everything in the database and runs the scripts again. The log of the new database continues after `after` and after
   * its last position. Calls that are made meanwhile wait for the new database; earlier calls that get no answer fail with
   * `reset`.
   *
   * @param onGone called when the old database has ended, before the new one answers
   */
  reset(options: ResetOptions, onGone: () => Promise<void>): Promise<void>;
  /** Writes one row, by its primary key. Fails with a {@link SourceFailure} that explains why it was not written. */
  write(change: RowEdit): Promise<WrittenRow>;
  /** Ends a database that is still being created for the first time, immediately and permanently. */
  abandon(): Promise<void>;
}

export interface RowEdit {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly schema: string;
  readonly table: string;
  /** All columns of the primary key; empty for an insert. Values are in the text form of the database. */
  readonly key: Readonly<Record<string, string | null>>;
  /** Empty for a delete. */
  readonly values: Readonly<Record<string, string | null>>;
}

export interface WrittenRow {
  readonly key: Readonly<Record<string, string | null>>;
  /** A position after the change. */
  readonly position: LogPosition;
}

export interface ResetOptions {
  /** The rows of the new database. `seeds` also runs the scripts with seed data. */
  readonly rows: 'seeds' | 'none';
  readonly after: LogPosition;
}

/** Scripts that have run together. */
export interface ScriptRun {
  readonly scripts: readonly string[];
  /** The kinds of the skipped statements, in lower case, one for each statement. */
  readonly skipped: readonly string[];
  /** Sentences about skipped statements that change rows, each with its place and the reason. */
  readonly lostRows: readonly string[];
}

export interface ScriptReport {
  /** The number of scripts that were run. */
  readonly applied: number;
  /** The scripts that have changed since they were run. */
  readonly changed: readonly string[];
  /** The scripts that were run and no longer exist. */
  readonly removed: readonly string[];
  /** Sentences about unreadable scripts. */
  readonly problems: readonly string[];
  /** The skipped statements in order. */
  readonly skipped: readonly SkippedStatement[];
}

/** A statement that was skipped when its script was run. */
export interface SkippedStatement {
  readonly script: string;
  /** The line number, beginning with 1. */
  readonly line: number;
  /** The statement, which is shortened if it is long. */
  readonly statement: string;
  /**
   * The reason. `server`: the statement concerns the entire server; `files`: it concerns files of the server's machine, or of
   * another project; `psql`: it is a command of psql; `timeout`: it took too long; `ended`: it ended the database; `plain`: it
   * failed, and its table was created without defaults, checks and references.
   */
  readonly reason: 'failed' | 'plain' | 'server' | 'files' | 'psql' | 'timeout' | 'ended';
  /** The database's code of the error, after a failure. */
  readonly code?: string;
  /** The database's message after a failure, or the reason why the statement ended the database. */
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
   * The kind, for programs. `missing`: the source does not have the table. `scripts`: the scripts of the project differ from
   * those that were run. `left out`: a statement that creates a table or a column was not run. `silence`: the only problem is that
   * there was no answer, so the state is unknown.
   */
  readonly kind?: 'missing' | 'scripts' | 'left out' | 'silence';
}

export interface SourceSchema {
  readonly name: string;
  readonly tables: readonly ListedTable[];
}

export interface ListedTable {
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** Whether the table has row-level security. */
  readonly rowSecurity: boolean;
  readonly keys: readonly SourceKey[];
  readonly triggers: readonly SourceTrigger[];
  /** The kind of table that cannot be replicated. Absent: an ordinary table. */
  readonly form?: RowlessForm;
}

export interface SourceColumn {
  readonly name: string;
  /** The name of the type in the source, for example `character varying(255)[]`. */
  readonly displayType: string;
  /** The short name of the type, for example `varchar[]`. */
  readonly shortType: string;
  /** The type code: blob 1, text 2, integer 4, real 8. */
  readonly sqliteType: number;
  readonly nullable: boolean;
  /** The value of a row that is inserted without one: an expression, or `computed` for identities and generated columns. */
  readonly default?: { readonly expression: string } | 'computed';
  /** The only values, if the type is an enum or a check lists them. */
  readonly values?: readonly string[];
  /** The column to which a foreign key of only this column refers. */
  readonly references?: SourceReference;
}

export interface SourceReference {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  /** The effect on the row if the row to which it refers is deleted. */
  readonly onDelete: OnDelete;
}

/** A foreign key of several columns. */
export interface SourceKey extends Omit<SourceReference, 'column'> {
  readonly columns: readonly string[];
  readonly parentColumns: readonly string[];
}

type OnDelete = NonNullable<ColumnReference['onDelete']>;

/** A trigger that runs for each row. The effects of its function are not known. */
export interface SourceTrigger {
  readonly name: string;
  readonly isBefore: boolean;
  readonly events: readonly TriggerEvent[];
}

/** A table as the log describes it before a row. */
export interface LoggedTable {
  readonly columns: readonly LoggedColumn[];
  /** The id of the row's transaction. */
  readonly transaction: number;
}

interface LoggedColumn {
  readonly name: string;
  /** The number of the type. */
  readonly type: number;
}

/** A table of the source, with the facts that replication needs. */
export interface TableInfo extends Omit<NewTable, 'copied' | 'progress'> {
  readonly estimatedRows?: number;
  /** The description for the following rows in the log. Absent if the log does not describe tables in this way. */
  readonly logged?: LoggedTable;
  /** The columns that updates may omit because they did not change. Absent: any column; empty: rows are always complete. */
  readonly omitted?: readonly string[];
}

export interface TableMeasure {
  readonly rows: number;
  /** The average size of a row in the source. */
  readonly bytesPerRow: number;
}

export interface MatchedTable {
  readonly pattern: TablePattern;
  /** Absent: a pattern without wildcard matches no table. */
  readonly table?: TableInfo;
  readonly problems: readonly SourceProblem[];
  /** Whether changes of the table are replicated. They are not if the source does not publish them, for example. */
  readonly replicated: boolean;
}

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** Whether there are more rows. */
  readonly truncated: boolean;
}

export interface SourceHistory {
  /** See `Provenance`. */
  readonly system: string;
  /**
   * The branches that lead to the current one, which is the last. Each of the others has the position at which the next one
   * begins. Absent if unknown, because a replica follows another server to any branch.
   */
  readonly branches?: readonly LogBranch[];
}

/** A part of a log. A copy of the source that continues independently begins another one. */
export interface LogBranch {
  readonly id: string;
  readonly end?: LogPosition;
}

/** The changes that a source keeps for a deployment, because the deployment has not acknowledged them. */
export interface SourceBacklog {
  readonly kind: 'absent' | 'ready' | 'lost';
  /** The reason of the loss, as reported by the source. */
  readonly reason?: string;
  /** Whether a new copy can keep its changes, although these were lost during the copy. */
  readonly canBeKeptAgain?: true;
  /** The position before which the source may have dropped changes. */
  readonly confirmed?: LogPosition;
  /** The end of the log. Absent if it may be before the read position, for example after a crash of a replica. */
  readonly end?: LogPosition;
  readonly lagBytes?: number;
  /** The source's own word for the state. */
  readonly status?: string;
  /** How much more the source can log before it drops unread changes. Absent: no limit, or unknown. */
  readonly safeBytes?: number;
  /** The limit of the changes that the source keeps. */
  readonly mostBytes?: number;
}

export interface BacklogHealth {
  readonly level: 'ok' | 'warning' | 'fatal';
  readonly message: string;
}

export interface StreamSettings {
  /** The name under which the source keeps the changes. */
  readonly deploymentName: string;
  readonly patterns: readonly TablePattern[];
  /** The options of the config, which decide how dates are written. */
  readonly options: Options;
  /** Called for each connection that reads the log, before anything is read. Throws if the log must not be read. */
  readonly onConnection?: (history: SourceHistory) => void;
  /** Called for every sign of life: progress, keepalives. */
  readonly onProgress: () => void;
  /** Called with the reason of a long wait that a person may have to end, and with undefined when the wait is over. */
  readonly onWaiting: (reason: string | undefined) => void;
}

/** Reads for one deployment. Only one caller may use it at a time. All methods fail with {@link SourceFailure}. */
export interface SourceStream {
  /** Ensures that the source keeps changes. Returns `created` if it did not, so that the copy begins again. May take long. */
  prepare(signal: AbortSignal): Promise<'kept' | 'created'>;
  /** Resolves when {@link copy} and {@link refetch} see everything that {@link changes} has returned, or a later state. */
  settle(signal: AbortSignal): Promise<void>;
  /** Returns the rows of a table in pages, starting after `progress.lastKey` if there is one. */
  copy(table: TableInfo, progress: CopyProgress | undefined, signal: AbortSignal): AsyncIterable<CopyPage>;
  /** Returns the changes since the last acknowledged position. Ends when the signal is aborted. */
  changes(signal: AbortSignal): AsyncIterable<ChangeChunk>;
  /** Whether the end of another transaction has already arrived, with the next chunk of {@link changes}. */
  endsAgain(): boolean;
  /** Reports that everything before this position is durably stored, so that the source may drop it. */
  acknowledge(position: LogPosition): void;
  /** Reads rows again by their keys, for values that an update omitted. Only for tables whose key is a single column. */
  refetch(table: TableInfo, keys: readonly SqlValue[], signal: AbortSignal): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export interface CopyPage {
  readonly rows: readonly Row[];
  /** Rows with values that could not be converted. They are not in `rows`. */
  readonly failed: readonly FailedRow[];
  readonly progress: CopyProgress;
  /** Whether the page shows the same state of the source as the previous one, because both are from one statement. */
  readonly isOfSameState?: true;
  /** Present on the last page: the end of the source's log after the copy was read. */
  readonly position?: LogPosition;
}

export interface FailedRow {
  /** The identity columns of the row. */
  readonly identity: Row;
  readonly message: string;
}

/** Events in the order of the log. A chunk may end anywhere; `commit` events mark the ends of transactions. */
export interface ChangeChunk {
  readonly events: readonly ChangeEvent[];
}

export type ChangeEvent =
  /** `last`: the event that will end the transaction, if it is already known. */
  | { readonly kind: 'begin'; readonly at: number; readonly last?: PassedEvent }
  /** Precedes the first change of a table on a connection and follows every change of its definition. */
  | { readonly kind: 'table'; readonly table: TableInfo }
  | { readonly kind: 'insert'; readonly sourceId: TableId; readonly row: ChangedRow }
  /** `old` contains the identity columns, if they changed or the source always sends them. */
  | { readonly kind: 'update'; readonly sourceId: TableId; readonly row: ChangedRow; readonly old?: Row }
  | { readonly kind: 'delete'; readonly sourceId: TableId; readonly old: Row }
  | { readonly kind: 'truncate'; readonly sourceIds: readonly TableId[] }
  | ({ readonly kind: 'commit'; readonly position: LogPosition } & EventOfLog)
  /**
   * An event outside of transactions: all changes before this position have been sent. `marked`: the event must be recorded.
   * `passing`: the position is not that of an event in the log, so the event need not be sent again.
   */
  | ({
      readonly kind: 'keepalive';
      readonly position: LogPosition;
      readonly marked: boolean;
      readonly passing?: true;
    } & EventOfLog);

interface EventOfLog {
  /** Distinguishes the event from another one at the same position. */
  readonly mark?: string;
  /** A position before the event's last record. Absent if it is unknown. */
  readonly from?: LogPosition;
}

/** Whether no transaction is open after the event. */
export function isEnd({ kind }: ChangeEvent): boolean {
  return kind === 'commit' || kind === 'keepalive';
}

export interface ChangedRow {
  readonly values: Row;
  /** The columns that the source did not send because they did not change. */
  readonly unchanged?: readonly string[];
  /**
   * The reason why the row cannot be used: a value cannot be converted, or the row is too large. The identity columns are
   * present.
   */
  readonly failure?: string;
}

export type FailureKind =
  | 'unreachable'
  | 'refused'
  | 'backlog-missing'
  | 'backlog-lost'
  /** The storage is older than the position that the source was asked to drop. */
  | 'storage-outdated'
  /** The log is not the one that was read before. */
  | 'other-history'
  | 'backlog-busy'
  | 'settings'
  | 'closed'
  /** The database is being created again on request. */
  | 'reset'
  | 'other';

/** An error of the source, with its meaning for the next attempt. The message is safe to show. */
export class SourceFailure extends Error {
  readonly kind: FailureKind;
  readonly code: ServiceErrorCode;

  constructor(kind: FailureKind, code: ServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.code = code;
  }
}

/** Whether the error only means that the database is being created again. */
export function isReset(error: unknown): boolean {
  return error instanceof SourceFailure && error.kind === 'reset';
}

export type { TableShape };
