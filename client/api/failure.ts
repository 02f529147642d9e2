/** Why a call did not succeed: a name to decide by, and a sentence to show. */

/**
 * - `unreachable`: nothing was sent, because nothing listens or there is no way there.
 * - `untrusted`: TLS could not be agreed on, so nothing was sent.
 * - `slow`, `lost`: sent, perhaps; there was no answer in time, or the connection broke.
 * - `cancelled`: by whoever asked.
 * - `foreign`: something answers, but not a sync service: a proxy, a web page, a redirect.
 * - `unsupported`: a service, but without this endpoint.
 * - `tokenless`: a token is needed, and none was sent.
 * - `unauthorized`: the token is wrong.
 * - `busy`: too many requests, or shutting down; later is fine.
 * - `refused`: the service says no, and `code` says why.
 * - `failed`: the service could not do it: an error of its own, or one of its database.
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
  /** The code without the product's prefix: `S4105`. */
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

/** The answer of a call, or undefined if the service gave none. */
export async function unlessFailed<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
}
