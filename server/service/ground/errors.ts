/** The catalogue of errors that the service answers with, logs or stops for. Codes are defined only here. */
type ErrorSeverity = 'info' | 'warning' | 'error';

interface ServiceErrorEntry {
  readonly status: number;
  readonly name: string;
  readonly description: string;
  readonly severity?: ErrorSeverity;
}

/**
 * The errors with their HTTP statuses. For errors that stop the start, or that only diagnostics show, it is the status of an API
 * call that encounters the error.
 */
const catalogue = {
  SVC_R0001: [422, 'SyncConfigError', 'The sync config has errors'],
  SVC_R2201: [422, 'SyncConfigError', 'The source cannot replicate tables by a wildcard'],

  SVC_S0001: [500, 'InternalServerError', 'Something went wrong inside the service', 'error'],
  SVC_S0102: [500, 'StartupError', 'Teardown must be confirmed with the word TEARDOWN'],

  SVC_S1002: [500, 'ReplicationError', 'A row is too large to be synced'],
  SVC_S1003: [500, 'ReplicationError', 'Another process is already replicating'],
  SVC_S1004: [500, 'ReplicationError', 'A JSON value is nested too deeply'],
  SVC_S1005: [500, 'StorageError', 'This release does not support the version of the stored data'],
  SVC_S1101: [500, 'ReplicationError', 'Replication reached an unexpected state'],
  SVC_S1103: [500, 'ReplicationError', 'Replication was stopped'],
  SVC_S1104: [500, 'StartupError', '`sslmode: verify-ca` needs `cacert`'],
  SVC_S1105: [500, 'StartupError', 'A connection names no database'],
  SVC_S1106: [500, 'StartupError', 'A connection names no host'],
  SVC_S1107: [500, 'StartupError', 'A connection names no user'],
  SVC_S1108: [500, 'StartupError', 'A connection has no password'],
  SVC_S1109: [500, 'StartupError', 'A connection is not configured correctly'],
  SVC_S1110: [500, 'StartupError', 'The port of a database must be from 1024 to 65535'],
  SVC_S1111: [500, 'StartupError', 'The service config uses a place outside the project'],
  SVC_S1120: [500, 'SourceError', 'The source database refused a query'],
  SVC_S1121: [500, 'SourceError', 'The source database does not answer'],
  SVC_S1141: [500, 'SourceError', 'The publication does not exist'],
  SVC_S1142: [500, 'SourceError', 'The publication does not publish all kinds of changes'],
  SVC_S1143: [500, 'SourceError', 'The publication publishes partitions as their root table'],
  SVC_S1144: [500, 'StartupError', 'Source and storage on one server need a newer PostgreSQL'],
  SVC_S1145: [500, 'SourceError', 'Row-level security may hide rows from the service'],
  SVC_S1146: [500, 'SourceError', 'The replication slot is no longer valid'],
  SVC_S1147: [500, 'SourceError', 'The source has no read-only role for queries'],
  SVC_S1148: [500, 'SourceError', 'Equal rows of a table cannot be distinguished', 'warning'],
  SVC_S1149: [500, 'SourceError', 'A table is being copied again', 'warning'],
  SVC_S1151: [500, 'SourceError', 'The scripts of the project differ from those that were run', 'warning'],
  SVC_S1152: [500, 'SourceError', 'A statement that creates a table or a column was left out', 'warning'],
  SVC_S1153: [500, 'SourceError', 'A statement that creates rows was left out', 'warning'],
  SVC_S1161: [500, 'SourceError', 'The user of the connection may not replicate'],
  SVC_S1162: [500, 'SourceError', 'The connection goes to a pooler, which cannot replicate'],
  SVC_S1163: [500, 'SourceError', 'The source has no free replication slot'],
  SVC_S1164: [500, 'SourceError', 'The source has no free replication connection'],
  SVC_S1165: [500, 'SourceError', 'The user of the connection may not read a table'],
  SVC_S1166: [500, 'SourceError', 'The publication leaves out columns or rows', 'warning'],
  SVC_S1167: [500, 'SourceError', 'The publication does not contain a table'],
  SVC_S1168: [500, 'SourceError', 'Rows of a table cannot be identified'],
  SVC_S1169: [500, 'SourceError', 'The source is a read-only standby'],
  SVC_S1170: [500, 'SourceError', 'The source does not let the user sign in'],
  SVC_S1171: [500, 'SourceError', 'The source refuses connections from this address'],
  SVC_S1172: [500, 'SourceError', 'The source has no such database'],
  SVC_S1402: [500, 'StorageError', 'A transaction failed too many times'],
  SVC_S1500: [500, 'SourceError', 'The source and the storage do not match'],

  SVC_S2001: [400, 'ValidationError', 'The request is not valid'],
  SVC_S2002: [404, 'RouteNotFound', 'There is no such path on this service', 'info'],
  SVC_S2003: [503, 'ServiceUnavailable', 'The service is shutting down'],
  SVC_S2004: [415, 'ValidationError', 'The service does not support the type of the payload'],
  SVC_S2101: [401, 'AuthorizationError', 'Not authorized'],
  SVC_S2102: [401, 'AuthorizationError', 'The signature of the token is wrong'],
  SVC_S2103: [401, 'AuthorizationError', 'The token has expired'],
  SVC_S2104: [401, 'AuthorizationError', 'The token is valid for too long'],
  SVC_S2105: [401, 'AuthorizationError', 'The token is not meant for this service'],
  SVC_S2106: [401, 'AuthorizationError', 'A token is required'],
  SVC_S2107: [403, 'AuthorizationError', 'The page may not call this service'],
  SVC_S2108: [401, 'AuthorizationError', 'The link to the console is no longer valid'],
  SVC_S2109: [403, 'AuthorizationError', 'The console is not available under this host name'],
  SVC_S2201: [401, 'AuthorizationError', 'The service is not configured to accept tokens'],
  SVC_S2202: [401, 'AuthorizationError', 'A key set must not be at an IPv6 address'],
  SVC_S2203: [401, 'AuthorizationError', 'An address is in a range that the service config rejects'],
  SVC_S2204: [401, 'AuthorizationError', 'The key set cannot be fetched'],
  SVC_S2302: [500, 'SyncError', 'No sync config is active'],
  SVC_S2304: [429, 'SyncError', 'Too many clients are connected'],
  SVC_S2305: [500, 'SyncError', 'Too many buckets'],
  SVC_S2401: [500, 'StorageError', 'The storage failed', 'error'],
  SVC_S2402: [503, 'StorageError', 'The storage does not answer', 'error'],
  SVC_S2403: [500, 'StorageError', 'Stored data is corrupt', 'error'],

  SVC_S3102: [500, 'StartupError', '`jwks_uri` is not a URL'],
  SVC_S3103: [500, 'StartupError', '`jwks_uri` must begin with https:// or http://'],
  SVC_S3201: [500, 'StartupError', 'The configuration does not allow the service to start'],
  SVC_S4001: [500, 'InternalServerError', 'The state of replication cannot be determined', 'error'],
  SVC_S4104: [422, 'NotDeployedError', 'No sync config is active'],
  SVC_S4105: [422, 'DeployDisabledError', 'The sync config belongs to the service configuration'],
  SVC_S4106: [409, 'BusyError', 'A deployment is being processed'],
  SVC_S4107: [422, 'ForeignDatabaseError', 'The source database does not belong to the service'],
  SVC_S4108: [422, 'NoSecretError', 'The service has no secret to sign tokens for clients with'],
  SVC_S4109: [422, 'UnknownStreamError', 'The active sync config has no such stream'],
  SVC_S4110: [409, 'NothingCopiedError', 'Nothing is being copied, or another deployment is being copied'],
} as const satisfies Record<string, readonly [number, string, string, ErrorSeverity?]>;

export type ServiceErrorCode = keyof typeof catalogue;

export const serviceErrorCodes = Object.keys(catalogue) as readonly ServiceErrorCode[];

export function entryOf(code: ServiceErrorCode): ServiceErrorEntry {
  const [status, name, description, severity] = catalogue[code] as (typeof catalogue)[ServiceErrorCode] &
    readonly [number, string, string, ErrorSeverity?];
  return { status, name, description, ...(severity && { severity }) };
}

/** An error that may be shown to the requester, because neither message nor details ever contain a secret. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly details: string | undefined;
  /** The HTTP status, which may differ from the status of the code: for example `SVC_S2001` with 500. */
  readonly status: number;

  constructor(
    code: ServiceErrorCode,
    details?: string,
    options: ErrorOptions & { readonly status?: number } = {},
  ) {
    super(details ?? entryOf(code).description, options);
    this.code = code;
    this.details = details;
    this.status = options.status ?? entryOf(code).status;
  }
}

/**
 * Returns the error to answer with: the error itself, or the `answer` of a failure in a deeper layer. Undefined if the error is
 * unexpected.
 */
export function toKnownError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  return error instanceof Error && 'answer' in error && error.answer instanceof ServiceError
    ? error.answer
    : undefined;
}

/** Returns the body of the response. `SVC_S2001` is used for bad requests of all kinds, and for unexpected errors. */
export function errorBody({ code, details, status }: ServiceError): { readonly error: object } {
  const entry = entryOf(code);
  const unforeseen = code === 'SVC_S2001' && status >= 500;
  const shown = unforeseen ? entryOf('SVC_S0001') : entry;
  return {
    error: {
      name: shown.name,
      code,
      description: shown.description,
      status,
      ...(details !== undefined && { details }),
      ...(shown.severity && { severity: shown.severity }),
    },
  };
}
