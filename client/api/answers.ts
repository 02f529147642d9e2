/** The reports of services about themselves, as far as we use them. Times are milliseconds since 1970 on the service's clock. */

import { type NamedConfig, type SentConfig, withNumber } from './deployedConfig.ts';
import { fieldsOf, isObject, listOf, numberIn, present, textIn, timeIn } from './reading.ts';
import type { Subscription } from './synced.ts';

export interface Diagnosis {
  /** The time of the report. */
  readonly at: number;
  readonly sources: readonly SourceStatus[];
  /** The program of the service. Absent if the service does not report it. */
  readonly service?: { readonly name: string; readonly version: string };
  /** The deployment that serves clients. */
  readonly active?: Deployment;
  /** The deployment that will serve clients when it is completely copied. */
  readonly pending?: Deployment;
  /** Absent if the service does not report them. */
  readonly clients?: readonly ConnectedClient[];
}

export interface SourceStatus {
  readonly id: string;
  /** The address without credentials. */
  readonly uri?: string;
  readonly connected: boolean;
  readonly errors: readonly ReportedError[];
}

export interface Deployment extends NamedConfig {
  /** The time when the config was deployed, if the service reports it. */
  readonly deployedAt?: number;
  /** Present only if it was requested. */
  readonly content?: string;
  readonly copied: boolean;
  readonly lsn?: string;
  readonly checkpointAt?: number;
  readonly keepaliveAt?: number;
  /** The time of the last step of any kind since the service started, if the service reports it. */
  readonly progressAt?: number;
  /** Whether the service is replicating the deployment now. Absent for services that do not report it. */
  readonly isReplicating?: boolean;
  readonly lagBytes?: number;
  /** The phase in the words of the service. */
  readonly phase?: string;
  /** Progress of the initial copy. Absent for services that do not report it. */
  readonly copy?: CopyStatus;
  readonly tables: readonly TableStatus[];
  /** Absent if the service does not report them. */
  readonly streams?: readonly StreamStatus[];
  readonly errors: readonly ReportedError[];
}

export interface CopyStatus {
  readonly isPaused: boolean;
  readonly rows?: number;
  /** The approximate total number of rows. */
  readonly ofRows?: number;
  readonly rowsPerSecond?: number;
  readonly remainingSeconds?: number;
  /** The maximum rate in rows per second, if a user has slowed the copy. */
  readonly limit?: number;
}

export interface StreamStatus {
  readonly name: string;
  /** Absent if there are too many to count. */
  readonly buckets?: number;
}

export interface TableStatus {
  readonly schema: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly copied?: boolean;
  readonly copiedRows?: number;
  readonly estimatedRows?: number;
  /** The number of stored rows, if the service reports it. */
  readonly storedRows?: number;
  /** The time when its rows were last compared with the source. */
  readonly verifiedAt?: number;
  readonly errors: readonly ReportedError[];
}

const errorKinds = ['silence', 'missing', 'left out', 'scripts', 'full disk'] as const;
type ErrorKind = (typeof errorKinds)[number];

export interface ReportedError {
  readonly level: 'warning' | 'fatal';
  readonly message: string;
  /** A code of the service's catalogue, such as `SVC_S1152`. Absent if the service sends none. */
  readonly code?: string;
  /**
   * `silence`: the service has received nothing for a while, possibly because nothing has changed. `missing`: the source does
   * not have the table. `left out`: a statement in the project's scripts that creates a table or a column was not run.
   * `scripts`: the scripts differ from the scripts that were run. `full disk`: nothing more can be stored, even if the source
   * is healthy.
   */
  readonly kind?: ErrorKind;
  /** The offsets in the sync config. */
  readonly location?: { readonly start: number; readonly end: number };
  readonly at?: number;
}

export interface ConnectedClient {
  readonly user: string;
  readonly client?: string;
  readonly since?: number;
  readonly buckets?: readonly string[];
  /** Absent if the service does not report them. */
  readonly subscriptions?: readonly Subscription[];
}

/** The beginning of the client id of a console. A console connects as a client to show what a client gets. */
export const consoleIdPrefix = 'console-';

export function isConsole({ client }: Pick<ConnectedClient, 'client'>): boolean {
  return client?.startsWith(consoleIdPrefix) === true;
}

/** The path at which {@link readDiagnosis} reads the answer. */
export const diagnosisPath = '/api/admin/v1/diagnostics';

/** Returns undefined if the value is not a diagnosis. */
export function readDiagnosis(value: unknown, at: number): Diagnosis | undefined {
  const data = dataOf(value);
  if (!Array.isArray(data?.connections)) return undefined;
  const { active_sync_rules: active, deploying_sync_rules: pending, connected_clients: clients } = data;
  const service = readService(data.service);
  return present({
    at,
    sources: data.connections.map(readSource),
    service,
    active: isObject(active) ? readDeployed(active, service) : undefined,
    pending: isObject(pending) ? readDeployed(pending, service) : undefined,
    clients: Array.isArray(clients) ? clients.map(readClient) : undefined,
  });
}

/** Reads the verdict of `validate` on a config. */
export function readVerdict(value: unknown): readonly ReportedError[] | undefined {
  const data = dataOf(value);
  return Array.isArray(data?.errors) ? data.errors.map(readError) : undefined;
}

/** Reads the tables of the config from the same answer. */
export function readValidatedTables(value: unknown): readonly TableStatus[] | undefined {
  const data = dataOf(value);
  if (!Array.isArray(data?.errors)) return undefined;
  return listOf(fieldsOf(listOf(data.connections)[0]).tables).map(readTable);
}

/** Reads the names of a config that was sent, or undefined if the answer contains none. */
export function readSent(value: unknown): SentConfig | undefined {
  const data = dataOf(value) ?? {};
  return readNames(data) ?? readNames(fieldsOf(listOf(data.connections)[0]));
}

function readNames(fields: Readonly<Record<string, unknown>>): NamedConfig | undefined {
  const slot = textIn(fields, 'slot_name');
  return slot === undefined ? undefined : present({ slot, configNumber: numberIn(fields, 'config_number') });
}

/** Reads the rows of an ad hoc query, or the reason why there are none. */
export function readResult(
  value: unknown,
): readonly Readonly<Record<string, unknown>>[] | string | undefined {
  const data = dataOf(value) ?? {};
  if (data.success === false) return textIn(data, 'error') ?? 'no reason was given';
  const { columns, rows } = fieldsOf(data.results);
  if (!Array.isArray(columns) || !Array.isArray(rows)) return undefined;
  const names = columns.map(String);
  return rows.map((row) =>
    Object.fromEntries(names.map((name, index) => [name, listOf(row)[index] ?? null])),
  );
}

export function dataOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const { data } = fieldsOf(value);
  return isObject(data) ? data : undefined;
}

function readService(value: unknown): Diagnosis['service'] {
  const fields = fieldsOf(value);
  const [name, version] = [textIn(fields, 'name'), textIn(fields, 'version')];
  return name === undefined || version === undefined ? undefined : { name, version };
}

function readSource(value: unknown): SourceStatus {
  const fields = fieldsOf(value);
  return present({
    id: textIn(fields, 'id') ?? 'default',
    uri: textIn(fields, 'postgres_uri'),
    connected: fields.connected === true,
    errors: listOf(fields.errors).map(readError),
  });
}

/** @param service absent for the reference service, which does not report its name */
function readDeployed(fields: Readonly<Record<string, unknown>>, service: Diagnosis['service']): Deployment {
  const connection = fieldsOf(listOf(fields.connections)[0]);
  const replication = fieldsOf(connection.replication);
  const deployed: Deployment = present({
    slot: textIn(connection, 'slot_name') ?? '',
    configNumber: numberIn(fields, 'config_number'),
    deployedAs: textIn(connection, 'deployed_as'),
    content: typeof fields.content === 'string' ? fields.content : undefined,
    deployedAt: timeIn(connection, 'deployed_ts'),
    copied: connection.initial_replication_done === true,
    lsn: textIn(connection, 'last_lsn'),
    checkpointAt: timeIn(connection, 'last_checkpoint_ts'),
    keepaliveAt: timeIn(connection, 'last_keepalive_ts'),
    progressAt: timeIn(replication, 'last_progress_ts'),
    isReplicating: typeof replication.running === 'boolean' ? replication.running : undefined,
    lagBytes: numberIn(connection, 'replication_lag_bytes'),
    phase: textIn(replication, 'phase'),
    copy: isObject(connection.copy) ? readCopy(connection.copy) : undefined,
    tables: listOf(connection.tables).map(readTable),
    streams: Array.isArray(fields.streams) ? fields.streams.map(readStream) : undefined,
    errors: listOf(fields.errors).map(readError),
  });
  return withNumber(deployed, service);
}

function readCopy(fields: Readonly<Record<string, unknown>>): CopyStatus {
  return present({
    isPaused: fields.state === 'paused',
    rows: numberIn(fields, 'rows'),
    ofRows: numberIn(fields, 'of_rows'),
    rowsPerSecond: numberIn(fields, 'rows_per_second'),
    remainingSeconds: numberIn(fields, 'remaining_seconds'),
    limit: numberIn(fields, 'rate_limit'),
  });
}

/** Returns the outcome for a copy, or undefined if the value does not contain one. */
export function readCopyState(value: unknown): CopyOutcome | undefined {
  const data = dataOf(value) ?? {};
  const names = readNames(data);
  if (data.state === 'none') return { kind: 'given up' };
  if (names === undefined || (data.state !== 'paused' && data.state !== 'copying')) return undefined;
  return { kind: data.state, ...names, ...present({ limit: numberIn(data, 'rate_limit') }) };
}

export type CopyOutcome =
  | { readonly kind: 'given up' }
  | (NamedConfig & { readonly kind: 'paused' | 'copying'; readonly limit?: number });

/** Returns the rate limit with which a deploy was accepted. Undefined if the service does not support rate limits. */
export function readLimit(value: unknown): number | undefined {
  return numberIn(dataOf(value) ?? {}, 'rate_limit');
}

function readTable(value: unknown): TableStatus {
  const fields = fieldsOf(value);
  return present({
    schema: textIn(fields, 'schema') ?? '',
    name: textIn(fields, 'name') ?? '',
    keys: listOf(fields.replication_id).map(String),
    copied: typeof fields.copied === 'boolean' ? fields.copied : undefined,
    copiedRows: numberIn(fields, 'copied_rows'),
    estimatedRows: numberIn(fields, 'estimated_rows'),
    storedRows: numberIn(fields, 'stored_rows'),
    verifiedAt: timeIn(fieldsOf(fields.verified), 'at'),
    errors: listOf(fields.errors).map(readError),
  });
}

function readStream(value: unknown): StreamStatus {
  const fields = fieldsOf(value);
  return present({ name: textIn(fields, 'name') ?? '', buckets: numberIn(fields, 'buckets') });
}

function readError(value: unknown): ReportedError {
  const fields = fieldsOf(value);
  const location = fieldsOf(fields.location);
  const start = numberIn(location, 'start_offset');
  const end = numberIn(location, 'end_offset');
  const message = textIn(fields, 'message') ?? JSON.stringify(value) ?? '';
  return present({
    level: fields.level === 'warning' ? ('warning' as const) : ('fatal' as const),
    kind: kindIn(fields, message),
    message,
    code: textIn(fields, 'code'),
    location: start === undefined ? undefined : { start, end: end ?? start },
    at: timeIn(fields, 'ts'),
  });
}

function kindIn({ kind }: Readonly<Record<string, unknown>>, message: string): ErrorKind | undefined {
  const known = errorKinds.find((each) => each === kind);
  if (known !== undefined) return known;
  if (saysMissing(message)) return 'missing';
  return saysSilence(message) ? 'silence' : undefined;
}

/** Recognises the error of a service that sends no kind: the reference service, and earlier versions of ours. */
function saysMissing(message: string): boolean {
  return /^Table "[^"]*"\."[^"]*" not found\.?$/.test(message);
}

/** Recognises the error of a service that sends no kind: the reference service, and earlier versions of ours. */
function saysSilence(message: string): boolean {
  return /^(No replicated commit|Nothing has been replicated)/.test(message);
}

function readClient(value: unknown): ConnectedClient {
  const fields = fieldsOf(value);
  return present({
    user: textIn(fields, 'user_id') ?? '',
    client: textIn(fields, 'client_id'),
    since: timeIn(fields, 'connected_ts'),
    buckets: Array.isArray(fields.buckets) ? fields.buckets.map(String) : undefined,
    subscriptions: Array.isArray(fields.subscriptions)
      ? fields.subscriptions.map(readSubscription)
      : undefined,
  });
}

export function readSubscription(value: unknown): Subscription {
  const fields = fieldsOf(value);
  const { parameters } = fields;
  return { stream: textIn(fields, 'stream') ?? '', parameters: isObject(parameters) ? parameters : null };
}
