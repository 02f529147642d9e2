/**
 * The connection from the console to a service. In a browser, it is HTTP with the cookie of a session; in an editor, messages
 * to the extension, which has the tokens. The console never sees a token of an admin.
 */
export interface Transport {
  /** The answer as it was sent, parsed. Rejects with a {@link CallFailure}. */
  readonly call: (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    signal?: AbortSignal,
  ) => Promise<unknown>;
  /**
   * The events of the running service. Resolves when the service ends the stream or the signal is aborted,
   * and rejects with a {@link CallFailure}; the caller connects again.
   */
  readonly events: (onLine: OnLine, signal: AbortSignal) => Promise<void>;
  /** A sync stream as a client of the service would have it. Resolves and rejects like {@link events}. */
  readonly sync: (request: SyncAs, onLine: OnLine, signal: AbortSignal) => Promise<void>;
  /** Returns how far the clock of the service is ahead of this one, by its last answer, in milliseconds. */
  readonly clockAhead: () => number | undefined;
}

/** Gets each line, parsed. */
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
  /** There is none to ask: nothing is wrong. */
  | 'no service'
  /** No answer: the service is not there, or not any more. */
  | 'unreachable'
  /** The session or the token is not good, or not any more. */
  | 'signed out'
  /** The service does not have the requested thing. */
  | 'absent'
  /** The service says why not. */
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
