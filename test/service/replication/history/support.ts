/** A service over a source and a storage, each of which can be replaced by an older copy of itself. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { patient } from '../../../../scripts/run/patience.ts';
import { type RunningService, startService } from '../../../../server/service/assembly/service.ts';
import type { ServiceSettings } from '../../../../server/service/config/settings.ts';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import type { Log, LogFacts } from '../../../../server/service/ground/log.ts';
import { openReplica } from '../../../consistency/replica.ts';
import { clientAuth, clientToken } from '../../../support/clients/clientAuth.ts';
import { eventually } from '../../../support/house/eventually.ts';
import { freePort } from '../../../support/processes/freePort.ts';
import { startPostgres, type TestPostgres, usualBatch } from '../../../support/processes/postgres.ts';
import { adminToken, serviceSettings } from '../../../support/service/serviceSettings.ts';

export type StorageKind = 'embedded' | 'postgresql';
export type SourceKind = 'embedded' | 'postgresql';

export interface KeptHistory {
  /** Keeps a copy under this name. */
  keepCopy(name?: string): Promise<void>;
  putBack(name?: string): Promise<void>;
}

export interface Stage {
  readonly sourceServer: TestPostgres | undefined;
  /** The copies of the storage. They are made while the service is stopped. */
  readonly storage: KeptHistory;
  /** The copies of the source. Those of an embedded source are made while the service is stopped. */
  readonly source: KeptHistory;
  readonly storageSettings: ServiceSettings['storage'];
  start(): Promise<void>;
  stop(): Promise<void>;
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** Returns the rows of `todos` that a new client gets, or the reason why it gets none. */
  shown(): Promise<readonly string[] | string>;
  /** Returns the rows of `todos` in the source. */
  rows(): Promise<readonly string[]>;
  /** Replaces the deployment with another one of the same content, and waits until the replaced one is cleared. */
  replace(): Promise<void>;
  /** Returns the names of the replication slots in the source. */
  slots(): Promise<readonly string[]>;
  /** Sends a request to the service as an admin. */
  ask(path: string, body?: object): Promise<unknown>;
  /** Returns level and message of each error of the active and the pending deployment. */
  errors(): Promise<readonly string[]>;
  log(): readonly string[];
  /** The codes in the log, such as `SVC_S1500` if everything is copied again. */
  codes(): readonly string[];
  close(): Promise<void>;
}

export const todos = `CREATE TABLE todos (id int PRIMARY KEY, title text, note text);
CREATE TABLE others (id int PRIMARY KEY);
INSERT INTO todos VALUES (1, 'one', 'n1'), (2, 'two', 'n2');`;

const config = `config:
  edition: 3
streams:
  todos:
    auto_subscribe: true
    query: SELECT CAST(id AS TEXT) AS id, title, note FROM todos
`;

interface StageChoices {
  readonly source: SourceKind;
  readonly storage: StorageKind;
  readonly schema?: string;
  /** A shared server for the databases of the stage. Without it, the stage starts its own servers, which can be restored. */
  readonly server?: TestPostgres;
}

export async function openStage({
  schema = todos,
  server = undefined,
  ...kinds
}: StageChoices): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-history-'));
  const data = join(folder, kinds.storage === 'embedded' ? 'storage' : '.headwater', 'source');
  const source = await (kinds.source === 'embedded'
    ? embeddedSource(folder, data, schema)
    : serverSource(schema, server));
  const storage = await (kinds.storage === 'embedded' ? folderStorage(folder) : serverStorage(server));
  const lines: string[] = [];
  const log: Log = {
    write: (level, message, facts: LogFacts = {}) =>
      lines.push(`${level}: ${message}${'table' in facts ? ` (${facts.table})` : ''}`),
  };
  let service: RunningService | undefined;
  const stop = async () => {
    await service?.stop();
    service = undefined;
  };
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${service?.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
    return response.json();
  };
  const stage: Stage = {
    sourceServer: source.server,
    storage: storage.kept,
    source: source.kept,
    stop,
    storageSettings: storage.settings,
    start: async () => {
      const settings = serviceSettings({
        connection: source.connection,
        storage: storage.settings,
        syncConfig: { origin: 'the test', exitOnError: true, from: { content: config } },
        clientAuth: { keys: clientAuth.jwks.keys, audience: clientAuth.audience },
      });
      service = await startService(settings, folder, { clock: systemClock, log, env: {}, fetch });
      source.listensAt(service.database);
    },
    sql: source.sql,
    shown: () => shownBy(service?.url ?? ''),
    rows: async () => (await source.sql('SELECT id, title, note FROM todos')).map(drawn).sort(),
    replace: async () => {
      const isCleared = () => lines.filter((line) => line.includes('Cleared a replaced deployment')).length;
      const patience = { timeout: patient(60_000), interval: 50 };
      // An earlier replaced deployment may still have to be cleared.
      await expect.poll(stage.slots, patience).toHaveLength(1);
      const before = isCleared();
      await ask('/api/sync-rules/v1/reprocess');
      await expect.poll(isCleared, patience).toBeGreaterThan(before);
    },
    slots: async () => {
      const from = kinds.source === 'embedded' ? 'name FROM headwater.slot' : `slot_name AS name ${ownSlots}`;
      return (await source.sql(`SELECT ${from} ORDER BY 1`)).map(({ name }) => String(name));
    },
    ask,
    errors: async () => {
      const { data } = (await ask('/api/admin/v1/diagnostics')) as {
        readonly data: Record<string, { readonly errors: readonly { level: string; message: string }[] }>;
      };
      return [data.active_sync_rules, data.deploying_sync_rules].flatMap((each) =>
        (each?.errors ?? []).map(({ level, message }) => `${level}: ${message}`),
      );
    },
    log: () => lines,
    codes: () => lines.flatMap((line) => /\[(SVC_\w+)\]/.exec(line)?.[1] ?? []),
    close: async () => {
      await stop();
      await source.close();
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return stage;
}

function drawn(row: Readonly<Record<string, unknown>>): string {
  return ['id', 'title', 'note'].map((name) => row[name] ?? '-').join(' ');
}

async function shownBy(url: string): Promise<readonly string[] | string> {
  const controller = new AbortController();
  const response = await fetch(`${url}/sync/stream`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await clientToken('ada')}`,
      'content-type': 'application/json',
      accept: 'application/x-ndjson',
    },
    body: JSON.stringify({ raw_data: true, buckets: [], include_checksum: true }),
    signal: controller.signal,
  });
  if (!response.ok || response.body === null) return `${response.status} ${await response.text()}`;
  const replica = openReplica();
  let rest = '';
  try {
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '' || replica.apply(JSON.parse(line)) === 'more') continue;
        return [...replica.rows.values()].map((row) => drawn(Object.fromEntries(JSON.parse(row)))).sort();
      }
    }
    return 'ended';
  } finally {
    controller.abort();
  }
}

interface OpenedSource {
  readonly connection: ServiceSettings['connection'];
  readonly server?: TestPostgres;
  readonly kept: KeptHistory;
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** Sets the address of the embedded database, which is known after the start of the service. */
  listensAt(address: string | undefined): void;
  close(): Promise<void>;
}

async function serverSource(schema: string, shared: TestPostgres | undefined): Promise<OpenedSource> {
  const { server, database, close } = await databaseOf(shared);
  const sql: OpenedSource['sql'] = (text) => server.query(text, undefined, database);
  await sql(schema);
  await sql('CREATE PUBLICATION powersync FOR TABLE todos');
  return {
    server,
    kept: server,
    connection: server.connection({ database }),
    sql,
    listensAt: () => {},
    close: async () => {
      // Remaining slots would count against the limit of the shared server. A slot cannot be dropped before its connection ends.
      if (shared !== undefined) await eventually(() => sql(dropSlots));
      await close();
    },
  };
}

const ownSlots = 'FROM pg_replication_slots WHERE database = current_database()';
const dropSlots = `SELECT pg_drop_replication_slot(slot_name) ${ownSlots}`;

interface StageDatabase {
  readonly server: TestPostgres;
  readonly database: string;
  close(): Promise<void>;
}

async function databaseOf(shared: TestPostgres | undefined): Promise<StageDatabase> {
  if (shared !== undefined)
    return { server: shared, database: await shared.createDatabase(), close: async () => {} };
  const server = await startPostgres();
  return { server, database: 'postgres', close: () => server.stop() };
}

async function embeddedSource(folder: string, data: string, schema: string): Promise<OpenedSource> {
  const port = await freePort();
  const path = join(folder, 'schema.sql');
  writeFileSync(path, schema);
  let connectionString = '';
  return {
    connection: {
      type: 'embedded',
      id: 'default',
      tag: 'default',
      debugApi: false,
      port,
      schema: [{ path, name: 'schema.sql', folder }],
    },
    kept: keptFolder(data),
    sql: async (text) => {
      const client = new pg.Client({ connectionString });
      await client.connect();
      try {
        return (await client.query(text)).rows as Record<string, unknown>[];
      } finally {
        await client.end();
      }
    },
    listensAt: (address = '') => {
      connectionString = address;
    },
    close: async () => {},
  };
}

interface OpenedStorage {
  readonly settings: ServiceSettings['storage'];
  readonly kept: KeptHistory;
  close(): Promise<void>;
}

async function folderStorage(folder: string): Promise<OpenedStorage> {
  const path = join(folder, 'storage');
  const names = ['data.sqlite', 'data.sqlite-wal', 'data.sqlite-shm', 'deployments.json'];
  return {
    settings: { type: 'embedded', path },
    kept: keptFolder(...names.map((name) => join(path, name))),
    close: async () => {},
  };
}

async function serverStorage(shared: TestPostgres | undefined): Promise<OpenedStorage> {
  const { server, database, close } = await databaseOf(shared);
  return {
    settings: { ...server.connection({ database }), type: 'postgresql', batch: usualBatch },
    kept: server,
    close,
  };
}

/** Keeps copies of those of these files and folders that exist. */
function keptFolder(...paths: readonly string[]): KeptHistory {
  const each = async (move: (path: string) => void) => paths.forEach(move);
  const copy = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true });
    try {
      cpSync(from, to, { recursive: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  };
  return {
    keepCopy: (name = 'kept') => each((path) => copy(path, `${path}.${name}`)),
    putBack: (name = 'kept') => each((path) => copy(`${path}.${name}`, path)),
  };
}
