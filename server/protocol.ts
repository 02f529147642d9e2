/** The messages between the extension and the language server: the only file of `server/` outside `shared/` that the extension imports. */

/** The `source` of every diagnostic, and the id of the language server's trace setting. */
export const serverId = 'headwater';

/** The abilities that a client can state in `initializationOptions`. */
export interface ClientOptions {
  /** Commands that it has, so that code lenses may offer them. */
  readonly commands?: readonly string[];
  /** The address of the folder in which each code has a page: `<code>.md`. */
  readonly codePages?: string;
  /** Another extension reports invalid YAML already. */
  readonly syntax?: 'reported by others';
  /** The client shows the results of access tests, and wants to know of changes: {@link testsChangedNotification}. */
  readonly tests?: 'shown';
  /** Whether the client answers {@link givenForecastRequest}. */
  readonly forecasts?: boolean;
  /** Whether the client answers {@link listFilesRequest} and {@link readFileRequest}. */
  readonly files?: boolean;
}

/** The argument of the command `headwater.showReferences` of the client: it shows places, asked for at one of them. */
export interface ShownPlaces {
  readonly uri: string;
  readonly position: PlacedRange['start'];
  readonly places: readonly { readonly uri: string; readonly range: PlacedRange }[];
}

/**
 * The client hands over the answer of a service to `POST /api/admin/v1/schema`, for one folder of the workspace or for all.
 * Any other value, such as null, takes back the former answer.
 */
export const serviceSchemaRequest = 'headwater/serviceSchema';

export interface ServiceSchemaParams {
  readonly folder?: string;
  readonly answer: unknown;
  /** When it was asked, as an ISO 8601 timestamp. */
  readonly takenAt?: string;
}

/** Null for any other answer. `snapshot` is the text of a snapshot file with these tables. */
export type ServiceSchemaResult = { readonly tables: number; readonly snapshot: string } | null;

/**
 * The client hands over the amounts that clients of a service get: the data of an answer to `POST /api/admin/v1/limits`. Any
 * other value, such as null, takes back the former answer.
 */
export const limitsRequest = 'headwater/limits';

export interface LimitsParams {
  readonly forecast: unknown;
}

/**
 * The server asks how much the clients of the selected service would get of another config: the data of an answer to
 * `POST /api/admin/v1/limits`, or null where nobody can tell.
 */
export const givenForecastRequest = 'headwater/givenForecast';

export interface GivenForecastParams {
  readonly content: string;
  /** The names of the streams. */
  readonly streams: readonly string[];
}

/** The client asks for the origin of the known tables of a config. */
export const schemaStatusRequest = 'headwater/schemaStatus';

export interface SchemaStatusParams {
  readonly uri: string;
}

export interface SchemaStatus {
  readonly origin: 'files' | 'snapshot' | 'service' | 'none';
  readonly tables: number;
  /** The tables and columns that only SQL files create which are newer than the snapshot or answer. They also count. */
  readonly behind?: readonly string[];
}

/** The client asks which files of a folder make the tables of its sync config, to make a database of them. */
export const projectSchemaRequest = 'headwater/projectSchema';

export interface ProjectSchemaParams {
  /** A URI, of a folder of the workspace. */
  readonly folder: string;
  /** The URI of the sync config. Without it, or if it is none: the one of the folder that is found first. */
  readonly config?: string;
}

export interface ProjectSchemaResult {
  /** The paths from the folder, in the order in which the files run. A folder means its files. */
  readonly paths: readonly string[];
  /** Tables that the sync config reads and none of them makes. */
  readonly missing: readonly string[];
}

/** A server that cannot read files by itself asks for the URIs of those below a folder that may matter. */
export const listFilesRequest = 'headwater/listFiles';

export interface ListFilesParams {
  readonly folder: string;
  readonly pattern: string;
}

/** The text of one of them; null if it cannot be read. */
export const readFileRequest = 'headwater/readFile';

export interface ReadFileParams {
  readonly uri: string;
}

/** Before a deploy: the problems of a text, and what it changes for those who have the deployed one. */
export const reviewRequest = 'headwater/review';

export interface ReviewParams {
  /** For the tables that are known in its folder. */
  readonly uri: string;
  readonly text: string;
  /** The deployed text; absent without one. */
  readonly before?: string;
}

export interface ReviewResult {
  /** False for anything else, which then has no errors either. */
  readonly isSyncConfig: boolean;
  readonly errors: number;
  readonly warnings: number;
  /** Errors that the user's settings show with another severity, or not at all. */
  readonly playedDown: readonly string[];
  /** The streams that change. Without `before`, all of them. */
  readonly streams: readonly ReviewedStream[];
  /** How many there are, whether they change or not. */
  readonly streamCount: number;
  /** The columns and whole tables that clients lose. */
  readonly dropped: readonly DroppedName[];
  /** The users who gain or lose rows. Absent without `before`, or if one of the texts has errors. */
  readonly access?: ReviewedAccess;
}

interface ReviewedAccess {
  /** Gains come first; one for each stream and table, with the smallest rows that show it. */
  readonly changes: readonly AccessChangeInReview[];
  /** Whether it is proven that there are no other changes. */
  readonly isExhausted: boolean;
  /** Why that is not proven. Empty for a proof. */
  readonly limits: readonly string[];
}

interface AccessChangeInReview {
  readonly kind: 'gained' | 'lost';
  readonly stream: string;
  readonly table: string;
  readonly id: string;
  /** The claims of the user; absent if any user gains or loses the row. */
  readonly who?: string;
  readonly rows: readonly string[];
  readonly asked?: string;
  /** Columns of a row that is there before and after. Absent: the whole row. */
  readonly columns?: readonly string[];
}

interface DroppedName {
  /** The table under the name that clients have for it. */
  readonly table: string;
  /** Absent: the whole table. */
  readonly column?: string;
}

interface ReviewedStream {
  readonly name: string;
  /**
   * - `rows`: other rows or columns are synced: clients load them again.
   * - `access`: who gets which rows.
   * - `delivery`: only the priority, or whether clients get the stream without asking.
   */
  readonly change: 'new' | 'gone' | 'rows' | 'access' | 'delivery';
  /** The tables that are read from the start for the stream. */
  readonly tables: readonly string[];
}

/** The client asks for the names that a text reads and a source lacks, and sends the tables that the service reports. */
export const missingNamesRequest = 'headwater/missingNames';

export interface MissingNamesParams {
  readonly text: string;
  /** The service's answer to `POST /api/admin/v1/schema`. */
  readonly answer: unknown;
}

/** Null for any other answer, or a text that is not a sync config. */
export type MissingNamesResult = readonly MissingName[] | null;

interface MissingName {
  readonly table: string;
  /** Absent: the whole table. */
  readonly column?: string;
  /** The streams that read it. */
  readonly readBy: readonly string[];
}

/** The streams of a text, to choose from. */
export const streamsRequest = 'headwater/streams';

export interface StreamsParams {
  readonly text: string;
}

export interface SubscribableStream {
  readonly name: string;
  /** Clients get it without asking. */
  readonly isDefault: boolean;
  /** Names of what it reads with `subscription.parameter()`. */
  readonly parameters: readonly string[];
}

/** The client asks for the map of a sync config in the editor, with errors or without: its tables, streams and users. */
export const syncMapRequest = 'headwater/syncMap';

export interface SyncMapParams {
  readonly uri: string;
  /** The deployed text, instead of the one in the editor. */
  readonly text?: string;
  /** The answer of its service to `POST /api/admin/v1/schema`; otherwise the tables known in its folder are used. */
  readonly answer?: unknown;
}

/** Null if it is not a sync config, or if the file is unknown. */
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
  /** The place in the migration that creates it. */
  readonly place?: MappedPlace;
}

interface MappedStream {
  readonly name: string;
  readonly kind: string;
  readonly isDefault: boolean;
  readonly place: MappedPlace;
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

/** The client asks for the buckets of a row in a config, or for the condition that excludes it. */
export const explainRowRequest = 'headwater/explainRow';

export interface ExplainRowParams {
  readonly uri: string;
  /** `lists`, or `app.lists` */
  readonly table: string;
  readonly row: GivenRow;
}

/** JSON, whose integers keep all of their digits; or what the source answers to {@link rowQueryRequest}. */
export interface GivenRow {
  readonly kind: 'json' | 'record';
  readonly text: string;
}

/** Null if it is not an open sync config, or not a row; without any rule, no query reads the table. */
export type ExplainRowResult = { readonly row: string; readonly rules: readonly ExplainedRule[] } | null;

/** The statement that reads a row of the source by its key, which is its parameter. Its answer is one text. */
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
  /** The place of the decision; counted from 0. */
  readonly place: { readonly line: number; readonly character: number };
}

/** The client asks for a first sync config for a folder, made of tables that are known there. */
export const starterRequest = 'headwater/starter';

export interface StarterParams {
  /** A URI, of a folder of the workspace. */
  readonly folder: string;
  /** The tables that it is for; absent: all. */
  readonly tables?: readonly string[];
}

/** The tables of a first sync config; none if none are known. */
export interface StarterResult {
  readonly tables: readonly StarterTable[];
  readonly text: string;
}

interface StarterTable {
  readonly name: string;
  /** The column that says whose a row is; absent if none does. */
  readonly owner?: string;
}

/** The tables that clients of a sync config have. */
export const clientTablesRequest = 'headwater/clientTables';

export interface ClientTablesParams {
  /** For the tables that are known in its folder. */
  readonly uri: string;
  readonly text: string;
}

/** Null if it is not a sync config, or has errors. */
export type ClientTablesResult = {
  readonly tables: readonly ClientTable[];
  /** Tables of which all columns are synced, and whose columns are unknown here. */
  readonly unknown: readonly string[];
} | null;

export interface ClientTable {
  readonly name: string;
  /** The columns besides `id`, which every table has. */
  readonly columns: readonly { readonly name: string; readonly type: ClientType }[];
}

export type ClientType = 'text' | 'integer' | 'real';

/**
 * The access test files that are new or gone, or whose results may have changed. Sent to clients that announce that they show
 * tests.
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
  /** Asks for the files that are known now: the open ones, until the folders are listed. Absent: the answer waits for the list. */
  readonly listing?: 'so far';
}

export interface TestFilesResult {
  readonly files: readonly ListedTestFile[];
  /** Whether folders are still being listed, so that missing files may follow. */
  readonly isListing: boolean;
}

export interface ListedTestFile {
  readonly uri: string;
  readonly tests: readonly ListedTest[];
  /** Why they cannot be run. */
  readonly problem?: string;
}

export interface TestName {
  /** An entry of `tests`, or of `always`. */
  readonly kind: 'test' | 'claim';
  readonly name: string;
}

export interface ListedTest extends TestName {
  readonly range: PlacedRange;
}

/** Runs tests of a file, as it is in the editor, against its config as that is in the editor. */
export const runTestsRequest = 'headwater/runTests';

export interface RunTestsParams {
  readonly uri: string;
  /** Absent: all. */
  readonly only?: readonly TestName[];
  readonly withCoverage?: true;
  /** Whether the answer must also have the rows of each user, with reasons. */
  readonly withReasons?: true;
}

/** Null if the file does not exist, or if it cannot run. */
export type RunTestsResult = {
  readonly results: readonly TestResult[];
  readonly coverage?: { readonly uri: string; readonly streams: readonly CoveredStreamOfTests[] };
  /** For people; places are written as `sync.yaml:6:32`. */
  readonly reasons?: string;
} | null;

export interface TestResult extends TestName {
  readonly failures: readonly TestResultFailure[];
  /** For a claim: how far it was searched. */
  readonly note?: string;
  /** Whether the claim may still be false: no counterexample was found, and the note says why that is not a proof. */
  readonly isNotRefuted?: true;
  /** Why it was not run. */
  readonly skipped?: string;
}

export interface TestResultFailure {
  readonly message: string;
  readonly range: PlacedRange;
  /** Empty if it is about something else than rows or columns. */
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
  /** Rows that somebody got, and rows that somebody was refused. */
  readonly given: number;
  readonly refused: number;
  readonly conditions: readonly {
    readonly sql: string;
    readonly range: PlacedRange;
    readonly wasTrue: number;
    readonly wasFalse: number;
  }[];
}
