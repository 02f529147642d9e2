/** The reason why a call failed: a kind for the caller's decisions, and a sentence for the user. */

/**
 * - `unreachable`: nothing was sent, because nothing is listening or there is no route to the host.
 * - `untrusted`: nothing was sent, because no TLS connection could be established.
 * - `slow`, `lost`: the request may have been sent, but there was no answer in time, or the connection broke.
 * - `cancelled`: the caller has cancelled the request.
 * - `foreign`: the answer is not from a sync service, but for example from a proxy or a web server.
 * - `unsupported`: the service does not have this endpoint.
 * - `tokenless`: the service requires a token, and none was sent.
 * - `unauthorized`: the token is wrong.
 * - `busy`: the service has too many requests or is shutting down, so the caller can try again later.
 * - `refused`: the service refuses the request, and `code` contains the reason.
 * - `failed`: the service could not do the work because of an error of its own or of its database.
 */
export type FailureKind =
  | 'unreachable'
  | 'untrusted'
  | 'slow'
  | 'lost'
  | 'cancelled'
  | 'foreign'
  | 'unsupported'
  | 'tokenless'
  | 'unauthorized'
  | 'busy'
  | 'refused'
  | 'failed';

interface FailureFacts {
  readonly status?: number | undefined;
  /** The code without the product's prefix, for example `S4105`. */
  readonly code?: string | undefined;
  readonly details?: string | undefined;
}

export class ApiFailure extends Error {
  readonly kind: FailureKind;
  readonly facts: FailureFacts;

  constructor(kind: FailureKind, sentence: string, facts: FailureFacts = {}, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'ApiFailure';
    this.kind = kind;
    this.facts = facts;
  }
}

/** Whether the service may have done the requested work, although it did not confirm it. */
export function mayHaveHappened({ kind, facts }: ApiFailure): boolean {
  const byProxy = facts.status === 502 || facts.status === 504;
  return kind === 'slow' || kind === 'lost' || kind === 'cancelled' || byProxy;
}

export function isFailure(error: unknown, kind?: FailureKind): error is ApiFailure {
  // The name is compared because the class may exist twice, once in code that is loaded on first use.
  const isOurs = error instanceof Error && error.name === 'ApiFailure';
  return isOurs && (kind === undefined || (error as ApiFailure).kind === kind);
}

/** Returns the answer of a call, or undefined if the call failed. */
export async function unlessFailed<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
}
