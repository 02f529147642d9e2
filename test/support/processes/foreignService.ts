/**
 * Simulates a sync service that is not ours. Its codes begin with `PSYNC_`, and it has only the published API. A deployment
 * becomes active when a test calls `activate`.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForeignService {
  readonly url: string;
  /** The received requests in their order, as `METHOD path`. */
  readonly requests: string[];
  readonly state: ForeignState;
  /** Replaces the service's answer to this path. If `answer` is absent, the service answers as usual again. */
  instead(path: string, answer?: RequestListener): void;
  /** Ends the copy of the pending config, and makes this config active. */
  activate(): void;
  close(): Promise<void>;
}

export interface ForeignConfig {
  readonly slot: string;
  readonly content: string;
}

export interface ForeignState {
  active?: ForeignConfig | undefined;
  pending?: ForeignConfig | undefined;
  /** The error of the active config, if it has one. */
  error?: { readonly message: string; readonly ts: string };
  sourceConnected: boolean;
  /** Whether the sync config is part of the service config. */
  fromFile: boolean;
  lastKeepalive: string;
}

export const foreignToken = 'a-token-of-the-foreign-service';

const usual = { 'content-type': 'application/json; charset=utf-8' };

export async function openForeignService(): Promise<ForeignService> {
  const state: ForeignState = {
    sourceConnected: true,
    fromFile: false,
    lastKeepalive: new Date().toISOString(),
  };
  const requests: string[] = [];
  const replaced = new Map<string, RequestListener>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(`${request.method} ${path}`);
    const answer = replaced.get(path);
    if (answer) answer(request, response);
    else void answerUsually(request, response, state);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    state,
    instead(path, answer) {
      if (answer === undefined) replaced.delete(path);
      else replaced.set(path, answer);
    },
    activate() {
      state.active = state.pending ?? state.active;
      state.pending = undefined;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}

async function answerUsually(request: IncomingMessage, response: ServerResponse, state: ForeignState) {
  const text = await textOf(request);
  const send = (status: number, body: object) => response.writeHead(status, usual).end(JSON.stringify(body));
  const refuse = (status: number, code: string, description: string, details?: string) =>
    send(status, { error: { status, code, description, details, name: 'ServiceError' } });
  if (request.headers.authorization !== `Bearer ${foreignToken}`)
    return refuse(401, 'PSYNC_S2101', 'Authorization failed');
  switch (`${request.method} ${request.url}`) {
    case 'POST /api/admin/v1/diagnostics':
      return send(200, { data: diagnosticsOf(state, JSON.parse(text || '{}').sync_rules_content === true) });
    case 'POST /api/admin/v1/schema':
      return send(200, { data: schema });
    case 'POST /api/admin/v1/validate':
      return send(200, { data: verdictOn(JSON.parse(text).sync_rules) });
    case 'POST /api/sync-rules/v1/deploy':
      if (state.fromFile)
        return refuse(
          422,
          'PSYNC_S4105',
          'Sync config API disabled',
          'Update sync config in the service configuration',
        );
      if (text.includes('SELEC '))
        return refuse(422, 'PSYNC_R0001', 'Sync config parsing failed', 'syntax error at start of line 4');
      return send(200, { data: { slot_name: deploy(state, text) } });
    case 'POST /api/admin/v1/reprocess':
      if (state.pending) return refuse(409, 'PSYNC_S4106', 'Busy processing sync config');
      if (!state.active) return refuse(422, 'PSYNC_S4104', 'No active sync config');
      return send(200, {
        data: {
          connections: [{ id: 'default', tag: 'default', slot_name: deploy(state, state.active.content) }],
        },
      });
    default:
      return refuse(
        404,
        'PSYNC_S2002',
        'The path does not exist on this server',
        `The path [${request.method}] "${request.url}" does not exist on this server`,
      );
  }
}

/** Deploys like a request, but sends no answer, for tests in which the answer is lost. */
export function deploy(state: ForeignState, content: string): string {
  const number = Number(/\d+/.exec(state.pending?.slot ?? state.active?.slot ?? '0')?.[0]) + 1;
  const slot = `powersync_${number}_a1b2`;
  state.pending = { slot, content };
  return slot;
}

function diagnosticsOf(state: ForeignState, withContent: boolean): object {
  const { sourceConnected: connected } = state;
  const errors = connected ? [] : [{ level: 'fatal', message: 'postgres query failed' }];
  const statusOf = ({ slot, content }: ForeignConfig, done: boolean) => ({
    ...(withContent && { content }),
    connections: [
      {
        id: 'default',
        tag: 'default',
        slot_name: slot,
        initial_replication_done: done,
        ...(done && {
          last_lsn: '00000000/01DF8F38',
          last_keepalive_ts: state.lastKeepalive,
          last_checkpoint_ts: state.lastKeepalive,
          replication_lag_bytes: 36528,
          wal_status: 'reserved',
        }),
        tables: [table],
      },
    ],
    errors: state.error ? [{ level: 'fatal', ...state.error }] : errors,
  });
  return {
    connections: [{ id: 'default', postgres_uri: 'postgresql://db:5432/source', connected, errors }],
    ...(state.active && { active_sync_rules: statusOf(state.active, true) }),
    ...(state.pending && { deploying_sync_rules: statusOf(state.pending, false) }),
  };
}

const table = {
  schema: 'public',
  name: 'lists',
  replication_id: ['id'],
  data_queries: true,
  parameter_queries: false,
  errors: [],
};

const column = { name: 'id', sqlite_type: 2, internal_type: 'uuid', type: 'uuid', pg_type: 'uuid' };

const schema = {
  connections: [
    {
      id: 'default',
      tag: 'default',
      schemas: [{ name: 'public', tables: [{ name: 'lists', columns: [column] }] }],
    },
  ],
  defaultConnectionTag: 'default',
  defaultSchema: 'public',
};

function verdictOn(content: string): object {
  const at = content.indexOf('lists_gone');
  const errors =
    at === -1
      ? []
      : [
          {
            level: 'warning',
            message: 'Table "public"."lists_gone" not found.',
            location: { start_offset: at, end_offset: at + 'lists_gone'.length },
          },
        ];
  return {
    connections: [
      { id: 'default', tag: 'default', slot_name: '', initial_replication_done: false, tables: [] },
    ],
    errors,
  };
}
