/** The settings of a service: a decoded service config, including defaults. */
import type { Role } from '../ground/world.ts';

export interface ServiceSettings {
  readonly port: number;
  readonly portFrom?: PortOrigin;
  /** The host to listen on. Default: `127.0.0.1`. */
  readonly host: string;
  readonly role: Role;
  /** Whether there is a console. Absent: only if no other machine can reach the service. */
  readonly console?: boolean;
  /** The names under which browsers may show the console, in addition to the addresses that the service listens on. */
  readonly consoleHosts?: readonly string[];
  readonly connection: ConnectionSettings;
  readonly storage: StorageSettings;
  /** Absent: configs are deployed through the API. */
  readonly syncConfig?: SyncConfigSettings;
  readonly clientAuth: ClientAuthSettings;
  readonly api: ApiSettings;
  readonly probes: ProbeSettings;
  /** Absent: `/metrics` is served on the main port only. */
  readonly metricsPort?: number;
  readonly logging: { readonly level: string; readonly format: 'text' | 'json' };
  readonly migrations: { readonly automatic: boolean };
  /** The share of the time that the background comparison with the source may take; 0: no comparison. */
  readonly verification: { readonly share: number };
  /** The storage version for sync configs that do not choose one. */
  readonly defaultStorageVersion: 2 | 3;
}

/** The origin of a port. Absent: the service config names it. `proposal`: only a default, so another port may be used instead. */
export type PortOrigin = 'option' | 'proposal';

export type ConnectionSettings = PostgresConnection | EmbeddedConnection;

interface AnyConnection {
  readonly id: string;
  readonly tag: string;
  readonly debugApi: boolean;
}

export interface PostgresConnection extends AnyConnection, PostgresServer {
  readonly type: 'postgresql';
  readonly slotNamePrefix: string;
  readonly heartbeatSeconds: number;
  readonly snapshotSocketTimeoutSeconds: number;
}

export interface PostgresServer {
  readonly hostname: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  readonly tls: TlsSettings;
  readonly rejectIpRanges: readonly string[];
  readonly maxPoolSize: number;
  readonly connectTimeoutSeconds: number;
}

export interface TlsSettings {
  readonly mode: 'verify-full' | 'verify-ca' | 'disable';
  readonly ca?: string;
  readonly certificate?: string;
  readonly privateKey?: string;
  readonly serverName?: string;
}

/** An SQL file, or a folder of SQL files. */
export interface SchemaPath {
  /** The absolute path. */
  readonly path: string;
  /** The name in the config, with `/` as separator. */
  readonly name: string;
  /** The absolute path of the config's folder. */
  readonly folder: string;
}

export interface EmbeddedConnection extends AnyConnection {
  readonly type: 'embedded';
  /** The scripts that create its tables, in the order in which they run. */
  readonly schema?: readonly SchemaPath[];
  /** Whether a new database is filled from the project's SQL files with seed data. Absent: yes. */
  readonly seed?: boolean;
  /** The port for ordinary PostgreSQL clients, on the loopback interface. Absent: any free port. */
  readonly port?: number;
  readonly portFrom?: PortOrigin;
  /** The password of these clients. Absent: a generated one, which is stored in the data folder. */
  readonly password?: string;
}

export type StorageSettings =
  | { readonly type: 'embedded' /** Absolute. */; readonly path: string }
  | ({ readonly type: 'postgresql'; readonly batch: BatchLimits } & PostgresServer);

export interface BatchLimits {
  /** The maximum number of rows in a transaction. */
  readonly maxRecordCount: number;
  /** The maximum size of a transaction, in bytes. */
  readonly maxEstimatedSize: number;
  /** The maximum size of the stored rows that are fetched at once, in bytes. */
  readonly maxCurrentDataBatchSize: number;
}

export interface SyncConfigSettings {
  /** The origin, for messages: a path, `sync_config.content` or an environment variable. */
  readonly origin: string;
  /** A path is read when replication starts. */
  readonly from: { readonly path: string } | { readonly content: string };
  readonly exitOnError: boolean;
}

export interface ClientAuthSettings {
  readonly keys: readonly JwkSettings[];
  readonly keySetUris: readonly string[];
  /** Derived from the Supabase host of the connection. Its tokens must have Supabase's own audience and lifetime. */
  readonly supabase?: { readonly secret?: string; readonly keySetUri?: string };
  /** The accepted values of `aud`. If the list is empty, only Supabase tokens are accepted. */
  readonly audience: readonly string[];
  readonly rejectIpRanges: readonly string[];
  readonly blockLocalKeySets: boolean;
}

export type JwkSettings = Readonly<Record<string, unknown>> & { readonly kty: string };

export interface ApiSettings {
  readonly tokens: readonly string[];
  readonly maxConcurrentConnections: number;
  readonly maxDataFetchConcurrency: number;
  readonly maxBucketsPerConnection: number;
  readonly maxParameterQueryResults: number;
  /** The object that is refused if a client would exceed a limit: a stream, or the entire client. */
  readonly overLimit: 'stream' | 'client';
  readonly checkpointRequestRetentionMinutes: number;
  readonly bucketCountCacheTtlMinutes: number;
}

export interface ProbeSettings {
  readonly files: boolean;
  readonly http: boolean;
}
