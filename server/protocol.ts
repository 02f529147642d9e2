/**
 * The messages between the extension and the language server. Outside `shared/`, this is the only file of `server/` that the
 * extension imports.
 */

/** The `source` of every diagnostic, and the id of the language server's trace setting. */
export const serverId = 'headwater';

/** The capabilities that a client can announce in `initializationOptions`. */
export interface ClientOptions {
  /** The commands that the client implements, so that code lenses may offer them. */
  readonly commands?: readonly string[];
  /** The address of the folder that contains a page for each code: `<code>.md`. */
  readonly codePages?: string;
  /** Present if another extension already reports invalid YAML. */
  readonly syntax?: 'reported by others';
  /**
   * Present if the client shows the results of access tests and wants to be notified of changes: {@link testsChangedNotification}.
   */
  readonly tests?: 'shown';
  /** Whether the client answers {@link givenForecastRequest}. */
  readonly forecasts?: boolean;
  /** Whether the client answers {@link listFilesRequest} and {@link readFileRequest}. */
  readonly files?: boolean;
  /** Present if the user does not trust the workspace, so that no database may run its SQL files. */
  readonly sql?: 'only read';
}

/** The argument of the client's command `headwater.showReferences`, which shows a list of places. */
export interface ShownPlaces {
  readonly uri: string;
  readonly position: PlacedRange['start'];
  readonly places: readonly { readonly uri: string; readonly range: PlacedRange }[];
}

/**
 * The client passes on the service's answer to `POST /api/admin/v1/schema`, for one folder of the workspace or for all folders. Any
 * other value, such as null, withdraws the previous answer.
 */
export const serviceSchemaRequest = 'headwater/serviceSchema';

export interface ServiceSchemaParams {
  readonly folder?: string;
  readonly answer: unknown;
  /** When the service was asked, as an ISO 8601 timestamp. */
  readonly takenAt?: string;
}

/** Null if the answer was not a schema. `snapshot` is the text of a snapshot file with these tables. */
export type ServiceSchemaResult = { readonly tables: number; readonly snapshot: string } | null;

/**
 * The client passes on how much data the clients of a service receive: the data of an answer to `POST /api/admin/v1/limits`. Any
 * other value, such as null, withdraws the previous answer.
 */
export const limitsRequest = 'headwater/limits';

export interface LimitsParams {
  readonly forecast: unknown;
}

/**
 * The server asks how much data the clients of the selected service would receive with another config: the data of an answer to
 * `POST /api/admin/v1/limits`, or null if no service can answer.
 */
export const givenForecastRequest = 'headwater/givenForecast';

export interface GivenForecastParams {
  readonly content: string;
  /** The names of the streams. */
  readonly streams: readonly string[];
}

/** The client asks where the known tables of a config come from. */
export const schemaStatusRequest = 'headwater/schemaStatus';

export interface SchemaStatusParams {
  readonly uri: string;
}

export interface SchemaStatus {
  readonly origin: 'files' | 'snapshot' | 'service' | 'none';
  readonly tables: number;
  /**
   * Tables and columns that are only in SQL files which are newer than the snapshot or answer. They are also part of the schema.
   */
  readonly behind?: readonly string[];
  /** Whether there may be other tables and columns, so that none is reported as missing. */
  readonly isOpen?: boolean;
}

/** The client asks which files of a folder create the tables of its sync config, in order to create a database from them. */
export const projectSchemaRequest = 'headwater/projectSchema';

export interface ProjectSchemaParams {
  /** The URI of a folder of the workspace. */
  readonly folder: string;
  /** The URI of the sync config. If it is absent, or is not a sync config, the first one found in the folder is used. */
  readonly config?: string;
}

export interface ProjectSchemaResult {
  /** Paths relative to the folder, in the order in which the files run. The path of a folder means all SQL files in it. */
  readonly paths: readonly string[];
}

/** A server that cannot read files itself asks for the URIs of the files below a folder that may matter. */
export const listFilesRequest = 'headwater/listFiles';

/** The maximum number of listed files. If there are so many, the list may be incomplete. */
export const mostListedFiles = 5_000;

export interface ListFilesParams {
  readonly folder: string;
  readonly pattern: string;
}

/** A server that cannot read files itself asks for the text of a file; null if the file cannot be read. */
export const readFileRequest = 'headwater/readFile';

export interface ReadFileParams {
  readonly uri: string;
}

/** The client asks, before a deploy, for the problems of a config and for its effect on users of the deployed config. */
export const reviewRequest = 'headwater/review';

export interface ReviewParams {
  /** The URI of the config. The text is checked against the tables that are known in its folder. */
  readonly uri: string;
  readonly text: string;
  /** The text of the deployed config; absent if there is none. */
  readonly before?: string;
}

export interface ReviewResult {
  /** Whether the text is a sync config. Any other text has no errors. */
  readonly isSyncConfig: boolean;
  readonly errors: number;
  readonly warnings: number;
  /** Errors that the user's settings turn off or show with another severity. */
  readonly playedDown: readonly string[];
  /** The streams that change. Without `before`, every stream. */
  readonly streams: readonly ReviewedStream[];
  /** The number of streams, changed or not. */
  readonly streamCount: number;
  /** The columns and whole tables that clients lose. */
  readonly dropped: readonly DroppedName[];
  /** The users who gain or lose rows. Absent without `before`, or if one of the texts has errors. */
  readonly access?: ReviewedAccess;
}

interface ReviewedAccess {
  /** The changes, gains first. There is one for each stream and table, with the smallest set of rows that demonstrates it. */
  readonly changes: readonly AccessChangeInReview[];
  /** Whether a proof shows that there are no other changes. */
  readonly isExhausted: boolean;
  /** Why there is no such proof. Empty if there is one. */
  readonly limits: readonly string[];
}

interface AccessChangeInReview {
  readonly kind: 'gained' | 'lost';
  readonly stream: string;
  readonly table: string;
  readonly id: string;
  /** The claims of the user; absent if every user gains or loses the row. */
  readonly who?: string;
  readonly rows: readonly string[];
  readonly asked?: string;
  /** Present if it is not known whether the source can have the rows. The sentence gives the reason. */
  readonly doubt?: string;
  /** The affected columns of a row that is synced before and after. Absent: the whole row. */
  readonly columns?: readonly string[];
}

interface DroppedName {
  /** The name of the table on clients. */
  readonly table: string;
  /** Absent: the whole table is dropped. */
  readonly column?: string;
}

interface ReviewedStream {
  readonly name: string;
  /**
   * - `rows`: other rows or columns are synced, so clients load them again.
   * - `access`: other users get the rows.
   * - `delivery`: only the priority changes, or whether clients get the stream without subscribing.
   */
  readonly change: 'new' | 'gone' | 'rows' | 'access' | 'delivery';
  /** The tables that are copied from the start for the stream. */
  readonly tables: readonly string[];
  /** The columns and whole tables of clients that the stream loses and gains. Absent without `before`. */
  readonly columns?: {
    readonly lost: readonly DroppedName[];
    readonly gained: readonly DroppedName[];
    /** The tables that are read with `*` and whose columns are unknown. */
    readonly unknown: readonly string[];
  };
}

/** The client sends the tables that the service reports, and asks which names in a config are missing from the source. */
export const missingNamesRequest = 'headwater/missingNames';

export interface MissingNamesParams {
  readonly text: string;
  /** The service's answer to `POST /api/admin/v1/schema`. */
  readonly answer: unknown;
}

/** Null if the answer is not a schema, or if the text is not a sync config. */
export type MissingNamesResult = readonly MissingName[] | null;

interface MissingName {
  readonly table: string;
  /** Absent: the whole table is missing. */
  readonly column?: string;
  /** The streams that read the table or column. */
  readonly readBy: readonly string[];
}

/** The client asks for the streams of a config, to offer them in a list. */
export const streamsRequest = 'headwater/streams';

export interface StreamsParams {
  readonly text: string;
}

export interface SubscribableStream {
  readonly name: string;
  /** Whether clients get the stream without subscribing. */
  readonly isDefault: boolean;
  /** The names of the parameters that the stream reads with `subscription.parameter()`. */
  readonly parameters: readonly string[];
}

/** The client asks for the map of a sync config in the editor: its tables, streams and users. The config may have errors. */
export const syncMapRequest = 'headwater/syncMap';

export interface SyncMapParams {
  readonly uri: string;
  /** The text of the deployed config, if the map is for that one instead of the text in the editor. */
  readonly text?: string;
  /**
   * The answer of the deployed config's service to `POST /api/admin/v1/schema`. Absent: the tables known in the folder are used.
   */
  readonly answer?: unknown;
}

/** Null if the file is unknown or is not a sync config. */
export type SyncMapResult = {
  readonly tables: readonly MappedTable[];
  readonly streams: readonly MappedStream[];
  readonly audiences: readonly MappedAudience[];
} | null;

interface MappedTable {
  /** The table as queries name it. */
  readonly id: string;
  readonly schema: string;
  readonly name: string;
  readonly sentence: string;
  readonly marks: readonly MappedMark[];
  /** The place in the migration that creates the table. */
  readonly place?: MappedPlace;
}

interface MappedStream {
  readonly name: string;
  readonly kind: string;
  readonly isDefault: boolean;
  readonly place: MappedPlace;
  readonly summary: string;
  readonly sentence: string;
  readonly tables: readonly { readonly table: string; readonly use: string }[];
  readonly audiences: readonly string[];
  readonly marks: readonly MappedMark[];
}

interface MappedAudience {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
}

interface MappedMark {
  readonly kind: string;
  readonly sentence: string;
}

interface MappedPlace {
  readonly uri: string;
  readonly range: PlacedRange;
}

/** The client asks which buckets of a config contain a row, or which condition excludes it. */
export const explainRowRequest = 'headwater/explainRow';

export interface ExplainRowParams {
  readonly uri: string;
  /** The table name, with or without a schema: `lists` or `app.lists`. */
  readonly table: string;
  readonly row: GivenRow;
}

/** A row as JSON whose integers keep all their digits, or as the source's answer to {@link rowQueryRequest}. */
export interface GivenRow {
  readonly kind: 'json' | 'record';
  readonly text: string;
}

/**
 * Null if the file is not an open sync config, or if the row is not valid. An empty list of rules means that no query reads the
 * table.
 */
export type ExplainRowResult = { readonly row: string; readonly rules: readonly ExplainedRule[] } | null;

/**
 * The client asks for the statement that reads a row of the source by its key. The key is the statement's parameter, and the answer
 * is a single text.
 */
export const rowQueryRequest = 'headwater/rowQuery';

export interface RowQueryParams {
  readonly schema: string;
  readonly name: string;
  readonly key: string;
}

export type RowQueryResult = string;

export interface ExplainedRule {
  readonly stream: string;
  readonly sentences: readonly string[];
  /** The place of the condition that decides, with line and character counted from 0. */
  readonly place: { readonly line: number; readonly character: number };
}

/** The client asks for a first sync config for a folder, based on the tables that are known there. */
export const starterRequest = 'headwater/starter';

export interface StarterParams {
  /** The URI of a folder of the workspace. */
  readonly folder: string;
  /** The tables to include; absent: all tables. */
  readonly tables?: readonly string[];
}

/** The first sync config and its tables. There are none if no tables are known. */
export interface StarterResult {
  readonly tables: readonly StarterTable[];
  readonly text: string;
}

interface StarterTable {
  readonly name: string;
  /** The column that contains the owner of a row; absent if there is none, or if no stream can be written for the table. */
  readonly owner?: string;
  /** Present if the table has no `id`, which clients need. */
  readonly isKeyless?: true;
}

/** The client asks for the tables that a sync config creates on clients. */
export const clientTablesRequest = 'headwater/clientTables';

export interface ClientTablesParams {
  /** The URI of the config. The text is checked against the tables that are known in its folder. */
  readonly uri: string;
  readonly text: string;
}

/** Null if the text is not a sync config or has errors. */
export type ClientTablesResult = {
  readonly tables: readonly ClientTable[];
  /** The names of tables that are synced with all their columns, when those columns are not known here. */
  readonly unknown: readonly string[];
} | null;

export interface ClientTable {
  readonly name: string;
  /** The columns besides `id`, which every table has. */
  readonly columns: readonly { readonly name: string; readonly type: ClientType }[];
}

export type ClientType = 'text' | 'integer' | 'real';

/**
 * Lists the access test files that were added or removed, or whose results may have changed. Sent only to clients that announce
 * that they show tests.
 */
export const testsChangedNotification = 'headwater/testsChanged';

export interface TestsChanged {
  readonly uris: readonly string[];
}

interface PlacedRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** The client asks for the files of access tests in the workspace, with their contents. */
export const testFilesRequest = 'headwater/testFiles';

export interface TestFilesParams {
  /**
   * Asks for the files that are known now, which are only the open files until the folders are listed. Absent: the answer waits for
   * the list.
   */
  readonly listing?: 'so far';
}

export interface TestFilesResult {
  readonly files: readonly ListedTestFile[];
  /** Whether folders are still being listed, so that more files may follow. */
  readonly isListing: boolean;
}

export interface ListedTestFile {
  readonly uri: string;
  readonly tests: readonly ListedTest[];
  /** Why the tests of the file cannot run. */
  readonly problem?: string;
}

export interface TestName {
  /** Whether the entry is from `tests` or from `always`. */
  readonly kind: 'test' | 'claim';
  readonly name: string;
}

export interface ListedTest extends TestName {
  readonly range: PlacedRange;
}

/** The client asks to run tests of a file. Both the file and its config are used as they are in the editor. */
export const runTestsRequest = 'headwater/runTests';

export interface RunTestsParams {
  readonly uri: string;
  /** The tests to run; absent: all tests. */
  readonly only?: readonly TestName[];
  readonly withCoverage?: true;
  /** Whether the answer must also contain the rows of each user, with reasons. */
  readonly withReasons?: true;
}

/** Null if the file does not exist, or if it cannot run. */
export type RunTestsResult = {
  readonly results: readonly TestResult[];
  readonly coverage?: { readonly uri: string; readonly streams: readonly CoveredStreamOfTests[] };
  /** The rows of each user, with reasons, as text for users. Places are written as `sync.yaml:6:32`. */
  readonly reasons?: string;
} | null;

export interface TestResult extends TestName {
  readonly failures: readonly TestResultFailure[];
  /** The duration in milliseconds. Absent if the test was not run. */
  readonly duration?: number;
  /** How far a claim was searched. */
  readonly note?: string;
  /** Whether the claim may still be false: no counterexample was found, and the note explains why that is not a proof. */
  readonly isNotRefuted?: true;
  /** Why the test was not run. */
  readonly skipped?: string;
}

export interface TestResultFailure {
  readonly message: string;
  readonly range: PlacedRange;
  /** The expected rows or columns. Empty if the difference is about something else. */
  readonly expected: string;
  readonly actual: string;
  readonly reasons: readonly {
    readonly text: string;
    readonly place?: { readonly uri: string; readonly range: PlacedRange };
  }[];
}

/** The coverage of a stream by the tests of one file. */
export interface CoveredStreamOfTests {
  readonly name: string;
  readonly range: PlacedRange;
  /** The number of rows that the tests gave to a user, and of rows that they refused to a user. */
  readonly given: number;
  readonly refused: number;
  readonly conditions: readonly {
    readonly sql: string;
    readonly range: PlacedRange;
    readonly wasTrue: number;
    readonly wasFalse: number;
  }[];
}
