/** The type of a route. The table of all routes is in `routes.ts`. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /**
   * The required token. `local`: none for requests from this machine, otherwise an admin's. `link`: the code of a link to the
   * console.
   */
  readonly access: 'user' | 'admin' | 'public' | 'local' | 'link';
  /**
   * Requests of one group wait for each other; `probe` never waits. `page`: public files. `watching`: streams of events for
   * admins.
   */
  readonly group: 'api' | 'page' | 'checkpointing' | 'stream' | 'watching' | 'probe';
  /** `yaml`: `application/yaml`, which becomes `{ content }`, or JSON. */
  readonly body: 'none' | 'json' | 'yaml';
  /** Whether tools call the route all the time, so that its calls are not logged. */
  readonly isPolled?: boolean;
  /** Returns sentences about wrong parameters. Called only after the token has been verified. */
  readonly problemsIn?: (parameters: Parameters) => readonly string[];
  readonly answer: (call: Call) => Promise<Reply>;
}

export type Head = Readonly<Record<string, string>>;

/** The parameters of query and body together; the body has precedence. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface Call {
  readonly parameters: Parameters;
  /** The body as received, because JavaScript's numbers may lose digits. Empty without a body. */
  readonly text: string;
  /** Present if the access is `user`. */
  readonly user?: User;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The headers of every answer. A route that writes the response itself must add them. */
  readonly head: Head;
  /** Aborted when the client is gone or the service stops. */
  readonly signal: AbortSignal;
  /** Whether the caller would still be admitted, for long answers. A session ends at some time. */
  readonly mayStay: () => boolean;
}

/** The user of a request, according to a verified token. */
export interface User {
  /** The value of `sub` as text. */
  readonly id: string;
  /** The payload as JSON, exactly as signed, so that sync configs see its numbers as they were written. */
  readonly claims: string;
  /** The time in seconds since 1970. */
  readonly expiresAt: number;
}

export type Reply =
  /** The answer is `{ "data": … }`. */
  | {
      readonly data: unknown;
      readonly status?: number;
      readonly pretty?: boolean;
      readonly headers?: Head;
    }
  /** The value is the answer. */
  | { readonly plain: unknown; readonly status?: number; readonly pretty?: boolean }
  /** The route has written the response itself. */
  | { readonly written: true }
  /**
   * An answer that lasts for hours and ends on its own. It does not involve a pending async function, because the memory for
   * thousands of them would be large. `fail` breaks the answer off.
   */
  | { readonly begin: (fail: (error: unknown) => void) => void };
