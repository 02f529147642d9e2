/** The API of a sync service, ours or not, typed. Every call succeeds or throws an `ApiFailure`. */

import { t } from '../l10n.ts';
import type { Address } from './address.ts';
import {
  type CopyOutcome,
  type Diagnosis,
  type ReportedError,
  readCopyState,
  readDiagnosis,
  readLimit,
  readResult,
  readSlot,
  readValidatedTables,
  readVerdict,
  type TableStatus,
} from './answers.ts';
import { type ApiCall, type Connection, type Endpoint, openConnection, type Reply } from './connection.ts';
import { readConsoleLink } from './consoleLink.ts';
import { explainNoJson, explainReply, parseJson, type SentToken } from './explain.ts';
import { ApiFailure, isFailure } from './failure.ts';
import { type Forecast, readForecast, readGivenForecast } from './forecast.ts';
import { type DeployPlan, readPlan } from './plan.ts';
import { readScripts, type ScriptReport } from './reports/scripts.ts';
import { readVerification, type Verification } from './reports/verification.ts';
import type { SyncQuestion, SyncResult } from './synced.ts';
import { type SyncOptions, syncOnce } from './syncOnce.ts';

export interface Api {
  readonly address: Address;
  diagnose(asked?: DiagnoseOptions, signal?: AbortSignal): Promise<Diagnosis>;
  /** The whole answer, as the language server and snapshot files take it. */
  schema(signal?: AbortSignal): Promise<unknown>;
  /** Against the database as it is now; stores nothing. */
  validate(content: string, signal?: AbortSignal): Promise<readonly ReportedError[]>;
  /** Also against the database: the tables that the config reads, with what keeps their rows from syncing. */
  validatedTables(content: string, signal?: AbortSignal): Promise<readonly TableStatus[]>;
  /** Returns the slot. Use `deployOnce`, which knows what to do when the answer is lost. */
  deploy(content: string, signal?: AbortSignal): Promise<string>;
  /** The same, with at most so many rows in a second while it is copied. Fails as `unsupported` if the service copies faster. */
  deploySlowly(content: string, rowsPerSecond: number, signal?: AbortSignal): Promise<string>;
  /** Pauses, resumes, slows or gives up what is being copied. Only our service can. */
  controlCopy(order: CopyRequest, signal?: AbortSignal): Promise<CopyOutcome>;
  /** Copies everything again, or only some streams; the old copy serves until then. Returns the slot. */
  reprocess(streams?: readonly string[], signal?: AbortSignal): Promise<string>;
  /** Starts a comparison of the storage with the source; {@link verification} says when it is done. */
  verify(repair: 'repair' | 'only compare', signal?: AbortSignal): Promise<Verification>;
  verification(id: number, signal?: AbortSignal): Promise<Verification>;
  /** What a deploy would do. Undefined if the service cannot say it: only ours can. */
  plan(content: string, signal?: AbortSignal): Promise<DeployPlan | undefined>;
  /** How much the clients of the active config get. Only our service knows. */
  forecast(signal?: AbortSignal): Promise<Forecast>;
  /** How much they would get of another config. Undefined where the service does not tell. */
  forecastOf(
    content: string,
    streams?: readonly string[],
    signal?: AbortSignal,
  ): Promise<Forecast | undefined>;
  /** Signs a browser in, once. A service without a console fails as `unsupported`. */
  consoleLink(signal?: AbortSignal): Promise<string>;
  /** The scripts of the service's own database. */
  scripts(signal?: AbortSignal): Promise<ScriptReport>;
  /** Drops the service's own database, and makes it again from its scripts. Any other is refused. */
  resetDatabase(rows: 'seeds' | 'none', signal?: AbortSignal): Promise<ScriptReport>;
  /** Only if the service allows it; otherwise its error says why. Values as in JSON. */
  query(sql: string, values: readonly string[], signal?: AbortSignal): Promise<readonly QueriedRow[]>;
  /**
   * Whether this token is an admin's. The database may still be starting, so what is sent is no config: a service
   * checks the token first, and refuses such a text without asking the database.
   */
  acceptsToken(signal?: AbortSignal): Promise<boolean>;
  /** Likewise; `unknown` if it cannot be asked now. */
  judgeToken(signal?: AbortSignal): Promise<TokenVerdict>;
  /** As the client whose token this is: what it would have. The service sees it come and go like any other. */
  syncOnce(question: SyncQuestion, options?: SyncOptions): Promise<SyncResult>;
  /** For those who read answers themselves: parsed, and nothing more. `at`: by the clock of the service. */
  ask(
    method: 'GET' | 'POST',
    path: string,
    body: object,
    signal?: AbortSignal,
  ): Promise<{ readonly value: unknown; readonly at: number }>;
  /** Parses each line of an endless answer. Resolves at its end. */
  follow(path: string, body: object, onLine: (line: unknown) => void, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface CopyRequest {
  readonly action: 'pause' | 'resume' | 'rate' | 'give-up';
  /** With `rate`; null: as fast as it can. */
  readonly rowsPerSecond?: number | null;
  /** Refused if another one is being copied. */
  readonly slot?: string;
}

export type TokenVerdict = 'accepted' | 'refused' | 'unknown';

type QueriedRow = Readonly<Record<string, unknown>>;

export interface DiagnoseOptions {
  readonly content?: boolean;
  /** Services that do not know this leave it out. */
  readonly clients?: boolean;
  /** How many buckets each stream has; likewise. */
  readonly buckets?: boolean;
}

/** In milliseconds. The database of a local service may start with the first question. */
const limits = {
  probe: 3_000,
  diagnose: 20_000,
  schema: 30_000,
  validate: 30_000,
  deploy: 60_000,
  // Scripts may make many rows.
  reset: 600_000,
  // The caller that follows the stream opens it again.
  follow: 86_400_000,
};

/** Not even YAML. */
const noConfig = 'streams: [';

export function openApi(endpoint: Endpoint): Api {
  const connection = openConnection(endpoint);
  const { address } = connection;
  const ask = (call: ApiCall, signal: AbortSignal | undefined) =>
    answerTo(connection, call, endpoint, signal);

  async function askFor<T>(
    call: ApiCall,
    read: (value: unknown, reply: Reply) => T | undefined,
    signal?: AbortSignal,
  ): Promise<T> {
    const { value, reply } = await ask(call, signal);
    const result = read(value, reply);
    if (result !== undefined) return result;
    throw new ApiFailure(
      'foreign',
      t('The service at {0} answers {1} in an unknown format.', address.host, call.path),
      {
        status: reply.status,
      },
    );
  }

  async function judgeToken(signal?: AbortSignal): Promise<TokenVerdict> {
    try {
      await ask(post('/api/admin/v1/validate', limits.probe, { sync_rules: noConfig }), signal);
      return 'accepted';
    } catch (error) {
      return isFailure(error, 'unauthorized') || isFailure(error, 'tokenless') ? 'refused' : 'unknown';
    }
  }

  /** Whether it can pause and slow a copy. This order is none, so nothing happens. */
  async function knowsCopies(signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await ask(post('/api/admin/v1/copy', limits.diagnose, {}), signal);
      return true;
    } catch (error) {
      if (isFailure(error) && error.facts.status === 404) return false;
      if (isFailure(error, 'refused')) return true;
      throw error;
    }
  }

  return {
    address,
    diagnose: (asked = {}, signal) =>
      askFor(
        post('/api/admin/v1/diagnostics', limits.diagnose, {
          ...(asked.content && { sync_rules_content: true }),
          ...(asked.clients && { connected_clients: true }),
          ...(asked.buckets && { bucket_counts: true }),
        }),
        (value, { at }) => readDiagnosis(value, at),
        signal,
      ),
    schema: async (signal) => (await ask(post('/api/admin/v1/schema', limits.schema, {}), signal)).value,
    validate: (content, signal) =>
      askFor(post('/api/admin/v1/validate', limits.validate, { sync_rules: content }), readVerdict, signal),
    validatedTables: (content, signal) =>
      askFor(
        post('/api/admin/v1/validate', limits.validate, { sync_rules: content }),
        readValidatedTables,
        signal,
      ),
    deploy: (content, signal) =>
      askFor(
        {
          method: 'POST',
          path: '/api/sync-rules/v1/deploy',
          body: { type: 'application/yaml', text: content },
          limit: limits.deploy,
        },
        readSlot,
        signal,
      ),
    deploySlowly: async (content, rowsPerSecond, signal) => {
      // Others deploy as well, and copy as fast as they can: what the rate is to prevent.
      if (!(await knowsCopies(signal))) {
        const sentence = t(
          '{0} cannot slow a copy, so nothing is deployed. Deploy without a rate, and it copies as fast as it can.',
          address.host,
        );
        throw new ApiFailure('unsupported', sentence);
      }
      const path = '/api/sync-rules/v1/deploy';
      const read = (value: unknown) => {
        const slot = readSlot(value);
        if (slot === undefined || readLimit(value) === rowsPerSecond) return slot;
        const sentence = t(
          '{0} has accepted the config, and copies as fast as it can: it ignores the rate.',
          address.host,
        );
        throw new ApiFailure('unsupported', sentence, { details: slot });
      };
      return askFor(post(path, limits.deploy, { content, rows_per_second: rowsPerSecond }), read, signal);
    },
    controlCopy: async ({ action, rowsPerSecond, slot }, signal) => {
      const outcome = await askFor(
        post('/api/admin/v1/copy', limits.deploy, {
          action,
          ...(rowsPerSecond !== undefined && { rows_per_second: rowsPerSecond }),
          ...(slot !== undefined && { slot_name: slot }),
        }),
        readCopyState,
        signal,
      );
      const limit = outcome.kind === 'given up' ? undefined : outcome.limit;
      if (rowsPerSecond === undefined || rowsPerSecond === (limit ?? null)) return outcome;
      throw new ApiFailure('unsupported', t('{0} ignores the rate: it has not set it.', address.host));
    },
    plan: async (content, signal) => {
      const path = '/api/sync-rules/v1/plan';
      const body = { type: 'application/yaml', text: content };
      try {
        return await askFor({ method: 'POST', path, body, limit: limits.validate }, readPlan, signal);
      } catch (error) {
        if (isFailure(error) && error.facts.status === 404) return undefined;
        throw error;
      }
    },
    reprocess: (streams, signal) =>
      askFor(
        // Services that do not know of streams refuse them here.
        streams === undefined
          ? post('/api/admin/v1/reprocess', limits.deploy, {})
          : post('/api/sync-rules/v1/reprocess', limits.deploy, { streams }),
        readSlot,
        signal,
      ),
    verify: (repair, signal) =>
      askFor(
        post('/api/admin/v1/verify', limits.deploy, { repair: repair === 'repair' }),
        readVerification,
        signal,
      ),
    verification: (id, signal) =>
      askFor(post('/api/admin/v1/verify', limits.diagnose, { id }), readVerification, signal),
    forecast: (signal) => askFor(post('/api/admin/v1/limits', limits.deploy, {}), readForecast, signal),
    forecastOf: async (content, streams, signal) => {
      const call = post('/api/admin/v1/limits', limits.validate, { sync_rules: content, streams });
      try {
        return (await askFor(call, readGivenForecast, signal)) ?? undefined;
      } catch (error) {
        if (isFailure(error) && error.facts.status === 404) return undefined;
        throw error;
      }
    },
    consoleLink: (signal) =>
      askFor(
        post('/api/admin/v1/console-link', limits.probe, {}),
        (value) => readConsoleLink(value, endpoint.url),
        signal,
      ),
    scripts: (signal) => askFor(post('/api/admin/v1/scripts', limits.schema, {}), readScripts, signal),
    resetDatabase: (rows, signal) =>
      askFor(
        post('/api/admin/v1/reset-database', limits.reset, { seed: rows === 'seeds' }),
        readScripts,
        signal,
      ),
    async query(query, values, signal) {
      const call = post('/api/admin/v1/execute-sql', limits.validate, { sql: { query, args: values } });
      const result = await askFor(call, readResult, signal);
      if (typeof result !== 'string') return result;
      throw new ApiFailure('refused', t('{0} does not return rows: {1}.', address.host, result));
    },
    acceptsToken: async (signal) => (await judgeToken(signal)) === 'accepted',
    judgeToken,
    syncOnce: (question, options = {}) => syncOnce(connection, question, sentBy(endpoint), options),
    async ask(method, path, body, signal) {
      const call =
        method === 'POST' ? post(path, limits.deploy, body) : { method, path, limit: limits.deploy };
      const { value, reply } = await ask(call, signal);
      return { value, at: reply.at };
    },
    async follow(path, body, onLine, signal) {
      const call = post(path, limits.follow, body);
      const stream = await connection.stream(call, signal);
      if (!('lines' in stream)) throw explainReply(stream, call, address, sentBy(endpoint));
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

function post(path: string, limit: number, body: object): ApiCall {
  return { method: 'POST', path, limit, body: { type: 'application/json', text: JSON.stringify(body) } };
}

async function answerTo(
  connection: Connection,
  call: ApiCall,
  endpoint: Endpoint,
  signal: AbortSignal | undefined,
): Promise<{ value: unknown; reply: Reply }> {
  const reply = await connection.send(call, signal);
  const { address } = connection;
  if (reply.status < 200 || reply.status >= 300) throw explainReply(reply, call, address, sentBy(endpoint));
  const value = parseJson(reply.text);
  if (value === undefined) throw explainNoJson(reply, address);
  return { value, reply };
}

function sentBy({ token, tokenOrigin }: Endpoint): SentToken {
  return { sent: token !== undefined, origin: tokenOrigin };
}
