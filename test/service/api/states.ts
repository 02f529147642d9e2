/** The states in which tests send requests to a service. Each state has its own process, data folder and source. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionConfig, startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/processes/serviceProcess.ts';

export const token = 'the-admin-token';

export const syncConfig = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
`;
export const nextConfig = syncConfig.replace('auth.user_id()', "auth.user_id() AND id <> ''");

const schema = `CREATE TABLE lists (id text PRIMARY KEY, owner text); INSERT INTO lists VALUES ('a', 'u');
CREATE PUBLICATION powersync FOR ALL TABLES`;

export interface Stage {
  readonly service: ServiceProcess;
  readonly close: () => Promise<void>;
}

interface Setting {
  readonly postgres: TestPostgres;
  readonly folder: string;
  readonly database: string;
  /** The cleanups that run before the service ends. */
  readonly endings: (() => Promise<unknown>)[];
  start(config?: string): Promise<ServiceProcess>;
}

type SetUp = (setting: Setting) => Promise<ServiceProcess>;

export const states = {
  'nothing deployed': ({ start }) => start(),
  deploying: async (setting) => {
    await keepPending(setting);
    const service = await setting.start();
    await deploy(service, syncConfig);
    return service;
  },
  active: async ({ start }) => activeService(await start()),
  'active and pending': async (setting) => {
    const service = await activeService(await setting.start());
    await keepPending(setting);
    await deploy(service, nextConfig);
    return service;
  },
  'sync config in a file': async ({ start, folder }) => {
    writeFileSync(join(folder, 'sync.yaml'), syncConfig);
    const service = await start('sync_config: { path: sync.yaml }');
    await untilActive(service);
    return service;
  },
  'no tokens configured': ({ start }) => start('api: {}'),
  'source down': async ({ start, postgres }) => {
    const service = await activeService(await start());
    await postgres.halt();
    return service;
  },
} as const satisfies Record<string, SetUp>;

export type StateName = keyof typeof states;

/**
 * Starts a service and brings it into a state. Each state has its own PostgreSQL server, because an open transaction prevents new
 * slots in all databases of a server.
 */
export async function enter(name: StateName): Promise<Stage> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'headwater-api-'));
  const database = await postgres.createDatabase();
  await postgres.query(schema, undefined, database);
  const endings: Setting['endings'] = [];
  const start: Setting['start'] = (config = `api: { tokens: [other, ${token}] }`) => {
    const path = join(folder, 'service.yaml');
    const tokens = /^api:/.test(config) ? '' : `api: { tokens: [${token}] }\n`;
    writeFileSync(path, `${sourceOf(postgres, database)}${tokens}${config}\nport: 0\n`);
    return startServiceProcess(path);
  };
  const service = await states[name]({ postgres, folder, database, endings, start });
  return {
    service,
    close: async () => {
      for (const end of endings) await end();
      await service.kill();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function sourceOf(postgres: TestPostgres, database: string): string {
  return `replication: { connections: [${JSON.stringify(connectionConfig(postgres, database))}] }
storage: { type: embedded, path: data }
healthcheck: { probes: { use_http: true } }
`;
}

/** Keeps a deployment pending with an open transaction: PostgreSQL creates a slot only after all open transactions have ended. */
async function keepPending({ postgres, database, endings }: Setting): Promise<void> {
  const client = await postgres.client(database);
  await client.query('BEGIN; SELECT pg_current_xact_id()');
  endings.push(() => client.end());
}

async function activeService(service: ServiceProcess): Promise<ServiceProcess> {
  await deploy(service, syncConfig);
  await untilActive(service);
  return service;
}

async function deploy({ url }: ServiceProcess, content: string): Promise<void> {
  const answer = await fetch(`${url}/api/sync-rules/v1/deploy`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/yaml' },
    body: content,
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function untilActive({ url, output }: ServiceProcess): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const answer = await fetch(`${url}/api/sync-rules/v1/current`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`Nothing becomes active:\n${output()}`);
}
