/**
 * Calls of one service, which succeed or throw an `ApiFailure`.
 *
 * 1. Only an answer with a status of 2xx, in JSON and in the expected format is a success.
 * 2. A service that does not know a path is a failure, except for `askIfKnown`: there it returns undefined.
 */
import { t } from '../../l10n.ts';
import type { Address } from '../address.ts';
import { type ApiCall, type Connection, type Endpoint, openConnection, type Reply } from '../connection.ts';
import { explainNoJson, explainReply, parseJson, type SentToken } from '../explain.ts';
import { ApiFailure, isFailure } from '../failure.ts';

/** Timeouts in milliseconds. The first request to a local service may have to wait until its database has started. */
export const callLimits = {
  probe: 3_000,
  diagnose: 20_000,
  schema: 30_000,
  validate: 30_000,
  deploy: 60_000,
  // Scripts may insert many rows.
  reset: 600_000,
  // The caller opens the stream again after this time.
  follow: 86_400_000,
};

interface Answer {
  readonly value: unknown;
  readonly reply: Reply;
}

export interface Caller {
  readonly address: Address;
  readonly connection: Connection;
  readonly token: SentToken;
  ask(call: ApiCall, signal?: AbortSignal): Promise<Answer>;
  /** @param read returns undefined for an unknown format */
  askFor<T>(call: ApiCall, read: Reader<T>, signal?: AbortSignal): Promise<T>;
  /** Returns undefined if the service does not know the path. */
  askIfKnown<T>(call: ApiCall, read: Reader<T>, signal?: AbortSignal): Promise<T | undefined>;
}

type Reader<T> = (value: unknown, reply: Reply) => T | undefined;

export function openCaller(endpoint: Endpoint): Caller {
  const connection = openConnection(endpoint);
  const { address } = connection;
  const token = { sent: endpoint.token !== undefined, origin: endpoint.tokenOrigin };

  const ask: Caller['ask'] = async (call, signal) => {
    const reply = await connection.send(call, signal);
    if (reply.status < 200 || reply.status >= 300) throw explainReply(reply, call, address, token);
    const value = parseJson(reply.text);
    if (value === undefined) throw explainNoJson(reply, address);
    return { value, reply };
  };
  const askFor: Caller['askFor'] = async (call, read, signal) => {
    const { value, reply } = await ask(call, signal);
    const result = read(value, reply);
    if (result !== undefined) return result;
    const sentence = t('The service at {0} answered {1} in an unknown format.', address.host, call.path);
    throw new ApiFailure('foreign', sentence, { status: reply.status });
  };
  const askIfKnown: Caller['askIfKnown'] = async (call, read, signal) => {
    try {
      return await askFor(call, read, signal);
    } catch (error) {
      if (isUnknownPath(error)) return undefined;
      throw error;
    }
  };
  return { address, connection, token, ask, askFor, askIfKnown };
}

export function isUnknownPath(error: unknown): boolean {
  return isFailure(error) && error.facts.status === 404;
}

export function post(path: string, limit: number, body: object): ApiCall {
  return { method: 'POST', path, limit, body: { type: 'application/json', text: JSON.stringify(body) } };
}

/** Returns the call that posts a sync config unchanged. */
export function postConfig(path: string, limit: number, text: string): ApiCall {
  return { method: 'POST', path, limit, body: { type: 'application/yaml', text } };
}
