/**
 * The transport in a browser: requests to the same origin, with the session cookie, which scripts cannot read, and the secret
 * of the page.
 */
import { fieldsOf, textIn } from '../../api/reading.ts';
import { ageTime } from '../../health/clock.ts';
import { readLines } from './lines.ts';
import type { PageSecret } from './pageSecret.ts';
import { CallFailure, type SyncAs, type Transport } from './transport.ts';

const eventsPath = '/api/admin/v1/events';

export function openHttpTransport({ read }: Pick<PageSecret, 'read'>, send: typeof fetch = fetch): Transport {
  let clockAhead: number | undefined;
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await send(path, { credentials: 'same-origin', cache: 'no-store', ...init }).catch(
      (error: unknown) => {
        if (init.signal?.aborted) throw error;
        throw new CallFailure('unreachable', 'The service does not answer.');
      },
    );
    const at = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(at)) clockAhead = at - ageTime();
    if (response.ok) return response;
    throw callFailureOf(response.status, await response.json().catch(() => undefined));
  };
  /** Calls the service as an admin. */
  const askSignedIn = async (path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> => {
    const secret = read();
    const headers = { ...init.headers, ...(secret !== undefined && { 'X-Headwater-Console': secret }) };
    return ask(path, { ...init, headers, ...(signal && { signal }) }).catch((error: unknown) => {
      if (!(error instanceof CallFailure) || error.code !== notAuthorized) throw error;
      const why = secret === undefined ? 'You are not signed in.' : sessionEnded;
      throw new CallFailure('signed out', `${why} ${wayBack}`, error.code);
    });
  };
  const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
    askSignedIn(
      path,
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
      signal,
    );
  return {
    call: async (method, path, body = {}, signal) => {
      const response = method === 'POST' ? post(path, body, signal) : askSignedIn(path, {}, signal);
      return readWhole(await response, signal);
    },
    events: async (onLine, signal) => readLines(await post(eventsPath, {}, signal), onLine, signal),
    sync: async (request, onLine, signal) => {
      const token = await clientToken(post, request, signal);
      const response = await ask('/sync/stream', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/x-ndjson',
          Authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(request.body),
        signal,
      });
      await readLines(response, onLine, signal);
    },
    clockAhead: () => clockAhead,
  };
}

/** Reads an answer in JSON. It may be cut short if the service or the connection ends. */
async function readWhole(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new CallFailure('unreachable', 'The answer of the service was cut short.');
  });
}

const notAuthorized = 'SVC_S2101';
const sessionEnded = 'Your session has ended: a session lasts for 12 hours, or until the service stops.';
const wayBack = 'Run headwater console in a terminal, and open the link that it prints.';

/** Returns a client token, which is neither shown nor stored. */
async function clientToken(
  post: (path: string, body: object, signal?: AbortSignal) => Promise<Response>,
  { user, claims }: SyncAs,
  signal: AbortSignal,
): Promise<string> {
  const response = await post('/api/admin/v1/client-token', { user_id: user, claims }, signal);
  const token = textIn(fieldsOf(fieldsOf(await readWhole(response, signal)).data), 'token');
  if (token === undefined) throw new CallFailure('absent', 'The service does not sign client tokens.');
  return token;
}

/** Returns the failure for an error, which has the form `{ "error": { "code", "description", "details" } }`. */
export function callFailureOf(status: number, body: unknown): CallFailure {
  const error = fieldsOf(fieldsOf(body).error);
  const sentence = [textIn(error, 'description'), textIn(error, 'details')].filter(Boolean).join('. ');
  const message = sentence === '' ? `The service answered with status ${status}.` : sentence;
  const kind =
    status === 401 || status === 403 ? 'signed out' : status === 404 ? 'absent' : ('refused' as const);
  return new CallFailure(kind, message, textIn(error, 'code'));
}
