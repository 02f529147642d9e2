/** The settings of a service: a decoded service config with its defaults. */
import type { Role } from '../ground/world.ts';

export interface ServiceSettings {
  readonly port: number;
  readonly portFrom?: PortOrigin;
  /** Default: `127.0.0.1`. */
  readonly host: string;
  readonly role: Role;
  /** Absent: only where this machine alone can reach it. */
  readonly console?: boolean;
  /** Names under which browsers may show the console, besides the addresses that the service listens on. */
  readonly consoleHosts?: readonly string[];
  readonly connection: ConnectionSettings;
  readonly storage: StorageSettings;
  /** Absent: deployments come through the API. */
  readonly syncConfig?: SyncConfigSettings;
  readonly clientAuth: ClientAuthSettings;
  readonly api: ApiSettings;
  readonly probes: ProbeSettings;
  /** Absent: `/metrics` is served on the main port only. */
  readonly metricsPort?: number;
  readonly logging: { readonly level: string; readonly format: 'text' | 'json' };
  readonly migrations: { readonly automatic: boolean };
  /** Share of the time that comparing with the source may take in the background; 0: none. */
  readonly verification: { readonly share: number };
  /** For sync configs that do not choose one themselves. */
  readonly defaultStorageVersion: 2 | 3;
}

/** Absent: the service config names the port. `proposal`: nobody has asked for it, so another one will do. */
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

/** A file of SQL, or a folder of them. */
export interface SchemaPath {
  /** Absolute. */
  readonly path: string;
  /** The name in the config, with `/`. */
  readonly name: string;
  /** The folder of the config, absolute. */
  readonly folder: string;
}

export interface EmbeddedConnection extends AnyConnection {
  readonly type: 'embedded';
  /** The scripts that make its tables, in the order in which they are run. */
  readonly schema?: readonly SchemaPath[];
  /** Whether a new database gets the rows of the project's SQL files with seed data. Absent: it does. */
  readonly seed?: boolean;
  /** The port for ordinary Postgres clients, on the loopback interface. Absent: any free port. */
  readonly port?: number;
  readonly portFrom?: PortOrigin;
  /** The password of these clients. Absent: a generated one, which is kept in the data folder. */
  readonly password?: string;
}

export type StorageSettings =
  | { readonly type: 'embedded' /** Absolute. */; readonly path: string }
  | ({ readonly type: 'postgresql'; readonly batch: BatchLimits } & PostgresServer);

export interface BatchLimits {
  /** Rows of a transaction. */
  readonly maxRecordCount: number;
  /** Bytes of a transaction. */
  readonly maxEstimatedSize: number;
  /** Bytes of stored rows that are fetched at once. */
  readonly maxCurrentDataBatchSize: number;
}

export interface SyncConfigSettings {
  /** The origin for messages: a path, `sync_config.content` or an environment variable. */
  readonly origin: string;
  /** The file is read when replication starts. */
  readonly from: { readonly path: string } | { readonly content: string };
  readonly exitOnError: boolean;
}

export interface ClientAuthSettings {
  readonly keys: readonly JwkSettings[];
  readonly keySetUris: readonly string[];
  /** Derived from the Supabase host of the connection, and held to Supabase's own audience and lifetime. */
  readonly supabase?: { readonly secret?: string; readonly keySetUri?: string };
  /** Accepted `aud`; with none, only tokens of Supabase pass. */
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
  /** The request that is refused if a client would have more. */
  readonly overLimit: 'stream' | 'client';
  readonly checkpointRequestRetentionMinutes: number;
  readonly bucketCountCacheTtlMinutes: number;
}

export interface ProbeSettings {
  readonly files: boolean;
  readonly http: boolean;
}
