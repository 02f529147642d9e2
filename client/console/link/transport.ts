/**
 * The connection from the console to a service. In a browser, it is HTTP with a session cookie. In an editor, it is messages to
 * the extension, which has the tokens. The console never sees an admin token.
 */
export interface Transport {
  /** Returns the parsed answer. Rejects with a {@link CallFailure}. */
  readonly call: (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    signal?: AbortSignal,
  ) => Promise<unknown>;
  /**
   * Follows the events of the service. Resolves when the service ends the stream or the signal is aborted, and rejects with a
   * {@link CallFailure}. The caller has to connect again.
   */
  readonly events: (onLine: OnLine, signal: AbortSignal) => Promise<void>;
  /** Follows a sync stream as a client of the service. Resolves and rejects like {@link events}. */
  readonly sync: (request: SyncAs, onLine: OnLine, signal: AbortSignal) => Promise<void>;
  /** Returns how far the clock of the service is ahead of this one, by its last answer, in milliseconds. */
  readonly clockAhead: () => number | undefined;
}

/** Receives each parsed line. */
export type OnLine = (line: unknown) => void;

/** The user of a stream, and its subscriptions. */
export interface SyncAs {
  readonly user: string;
  /** The claims other than `sub`, which is the user. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The body of `POST /sync/stream`. */
  readonly body: object;
}

export type CallFailureKind =
  /** No service is selected, which is not an error. */
  | 'no service'
  /** There is no answer, because the service is not running or not reachable. */
  | 'unreachable'
  /** The session or the token is invalid or has expired. */
  | 'signed out'
  /** The service does not have the requested thing. */
  | 'absent'
  /** The service refuses the request, with a reason. */
  | 'refused';

export class CallFailure extends Error {
  readonly kind: CallFailureKind;
  /** A code of the service's catalogue, such as `SVC_S2101`. */
  readonly code: string | undefined;

  constructor(kind: CallFailureKind, message: string, code?: string) {
    super(message);
    this.name = 'CallFailure';
    this.kind = kind;
    this.code = code;
  }
}
