/** The catalogue of errors that the service answers with, logs or stops for. Each code is born here and nowhere else. */
export interface ServiceErrorEntry {
  readonly status: number;
  readonly name: string;
  readonly description: string;
}

const catalogue = {
  SVC_R0001: [422, 'SyncConfigError', 'The sync config has errors'],
  SVC_S0001: [500, 'InternalServerError', 'Something went wrong inside the service'],
  SVC_S2001: [400, 'ValidationError', 'The request is not valid'],
  SVC_S2002: [404, 'RouteNotFound', 'There is no such path on this service'],
  SVC_S2003: [503, 'ServiceUnavailable', 'The service is shutting down'],
  SVC_S2101: [401, 'AuthorizationError', 'Not authorized'],
  SVC_S4104: [422, 'NotDeployedError', 'No sync config is active'],
  SVC_S4105: [422, 'DeployDisabledError', 'The sync config belongs to the service configuration'],
  SVC_S4106: [409, 'BusyError', 'A deployment is being processed'],
} as const satisfies Record<string, readonly [number, string, string]>;

export type ServiceErrorCode = keyof typeof catalogue;

export function entryOf(code: ServiceErrorCode): ServiceErrorEntry {
  const [status, name, description] = catalogue[code];
  return { status, name, description };
}

/** An error that may be shown to whoever asked: neither message nor details ever hold a secret. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly details: string | undefined;
  /** Where it differs from the code's own, e.g. `SVC_S2001` with 500. */
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
