/** The API of a sync service, ours or not, typed. Every call succeeds or throws an `ApiFailure`. */
import type { Address } from './address.ts';
import { type Caller, callLimits, openCaller, post } from './calls/caller.ts';
import { type ConfigCalls, configCalls } from './calls/configCalls.ts';
import { type ReportCalls, reportCalls } from './calls/reportCalls.ts';
import type { Endpoint } from './connection.ts';
import { readConsoleLink } from './consoleLink.ts';
import { explainNoJson, explainReply, parseJson } from './explain.ts';
import { isFailure } from './failure.ts';
import type { SyncQuestion, SyncResult } from './synced.ts';
import { type SyncOptions, syncOnce } from './syncOnce.ts';

export type { CopyRequest } from './calls/configCalls.ts';
export type { DiagnoseOptions } from './calls/reportCalls.ts';

export interface Api extends ConfigCalls, ReportCalls {
  readonly address: Address;
  /** Resolves with any answer to a request that needs neither a token nor a database. `limit`: the timeout in milliseconds. */
  signOfLife(limit: number, signal?: AbortSignal): Promise<void>;
  /** Returns a link that signs a browser in once. Fails as `unsupported` if the service has no console. */
  consoleLink(signal?: AbortSignal): Promise<string>;
  /**
   * Whether this is the token of an admin. The database may still be starting, so the request contains an invalid config: a
   * service checks the token first, and refuses such a config without asking the database.
   */
  acceptsToken(signal?: AbortSignal): Promise<boolean>;
  /** Checks the token in the same way. Returns `unknown` if the service cannot answer now. */
  judgeToken(signal?: AbortSignal): Promise<TokenVerdict>;
  /** Syncs as the client that the token belongs to. To the service, this is a client like any other. */
  syncOnce(question: SyncQuestion, options?: SyncOptions): Promise<SyncResult>;
  /**
   * Returns an answer that is parsed but not checked, for callers that read it themselves. `at`: the time on the service's
   * clock.
   */
  ask(
    method: 'GET' | 'POST',
    path: string,
    body: object,
    signal?: AbortSignal,
  ): Promise<{ readonly value: unknown; readonly at: number }>;
  /** Parses each line of a streamed answer. Resolves when the answer ends. */
  follow(path: string, body: object, onLine: (line: unknown) => void, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export type TokenVerdict = 'accepted' | 'refused' | 'unknown';

/** A config that is not even YAML, so that a service refuses it at once. */
const noConfig = 'streams: [';

export function openApi(endpoint: Endpoint): Api {
  const caller = openCaller(endpoint);
  const { address, connection, token, ask, askFor } = caller;
  return {
    address,
    ...configCalls(caller),
    ...reportCalls(caller),
    signOfLife: async (limit, signal) => {
      await connection.send({ method: 'GET', path: '/probes/liveness', isPublic: true, limit }, signal);
    },
    consoleLink: (signal) => {
      const read = (value: unknown) => readConsoleLink(value, endpoint.url);
      return askFor(post('/api/admin/v1/console-link', callLimits.probe, {}), read, signal);
    },
    acceptsToken: async (signal) => (await judgeToken(caller, signal)) === 'accepted',
    judgeToken: (signal) => judgeToken(caller, signal),
    syncOnce: (question, options = {}) => syncOnce(connection, question, token, options),
    async ask(method, path, body, signal) {
      const limit = callLimits.deploy;
      const { value, reply } = await ask(
        method === 'POST' ? post(path, limit, body) : { method, path, limit },
        signal,
      );
      return { value, at: reply.at };
    },
    async follow(path, body, onLine, signal) {
      const call = post(path, callLimits.follow, body);
      const stream = await connection.stream(call, signal);
      if (!('lines' in stream)) throw explainReply(stream, call, address, token);
      for await (const line of stream.lines) {
        if (line === '') continue;
        const value = parseJson(line);
        if (value === undefined) throw explainNoJson({ ...stream, text: line }, address);
        onLine(value);
      }
    },
    close: connection.close,
  };
}

async function judgeToken({ ask }: Caller, signal: AbortSignal | undefined): Promise<TokenVerdict> {
  try {
    await ask(post('/api/admin/v1/validate', callLimits.probe, { sync_rules: noConfig }), signal);
    return 'accepted';
  } catch (error) {
    return isFailure(error, 'unauthorized') || isFailure(error, 'tokenless') ? 'refused' : 'unknown';
  }
}
