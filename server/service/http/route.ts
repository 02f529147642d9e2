/** The type of a route. The table of all routes is `routes.ts`. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Whose token is needed. `local`: none from this machine itself, else an admin's. `link`: the code of a link to the console. */
  readonly access: 'user' | 'admin' | 'public' | 'local' | 'link';
  /**
   * Requests of one group wait for each other; `probe` never waits. `page`: files that anybody may read. `watching`: streams of
   * events for admins.
   */
  readonly group: 'api' | 'page' | 'checkpointing' | 'stream' | 'watching' | 'probe';
  /** `yaml`: `application/yaml` as `{ content }`, or JSON. */
  readonly body: 'none' | 'json' | 'yaml';
  /** Tools ask it all the time, so its answers are not logged. */
  readonly isPolled?: boolean;
  /** Returns sentences about wrong parameters; runs once the token is known to be good. */
  readonly problemsIn?: (parameters: Parameters) => readonly string[];
  readonly answer: (call: Call) => Promise<Reply>;
}

export type Head = Readonly<Record<string, string>>;

/** Query and body as one; the body wins. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface Call {
  readonly parameters: Parameters;
  /** The body as it was sent, for what JavaScript's numbers lose; empty without one. */
  readonly text: string;
  /** Present with `access: 'user'`. */
  readonly user?: User;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The head of every answer. A route that writes the response itself adds it. */
  readonly head: Head;
  /** Aborted when the client goes or the service stops. */
  readonly signal: AbortSignal;
  /** For long answers: whether the caller would still be admitted. A session ends some time. */
  readonly mayStay: () => boolean;
}

/** The user of a request, according to a verified token. */
export interface User {
  /** Text of `sub`. */
  readonly id: string;
  /** The payload as JSON text, exactly as signed: sync configs see its numbers as they were written. */
  readonly claims: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export type Reply =
  /** `{ "data": … }` */
  | {
      readonly data: unknown;
      readonly status?: number;
      readonly pretty?: boolean;
      readonly headers?: Head;
    }
  /** A value that is sent as it is. */
  | { readonly plain: unknown; readonly status?: number; readonly pretty?: boolean }
  /** The route has written the response itself. */
  | { readonly written: true }
  /**
   * An answer that lasts for hours, and ends on its own. No asynchronous function waits for it, because each of thousands of
   * clients would need the memory of that function. `fail` breaks it off.
   */
  | { readonly begin: (fail: (error: unknown) => void) => void };
