/** A long scenario for an app with the real SDK, the built service in its own process, and a real PostgreSQL. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { patient } from '../../../scripts/run/patience.ts';
import { clientAuth, clientToken } from '../../support/clients/clientAuth.ts';
import { type App, type AppOptions, openApp, type Upload } from '../../support/clients/sdk.ts';
import { freePort } from '../../support/processes/freePort.ts';
import {
  connectionConfig,
  postgresPrograms,
  startPostgres,
  type TestPostgres,
} from '../../support/processes/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/processes/serviceProcess.ts';

const admin = 'admin';

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
  todos:
    query: SELECT * FROM todos WHERE list = subscription.parameter('list') AND list IN (SELECT id FROM lists WHERE owner = auth.user_id())
`;

const ddl = `CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
CREATE TABLE todos (id text PRIMARY KEY, list text, title text);
INSERT INTO lists VALUES ('l1', 'ada', 'one'), ('l2', 'ben', 'two');
INSERT INTO todos VALUES ('t1', 'l1', 'mine'), ('t2', 'l2', 'of ben');
CREATE PUBLICATION powersync FOR ALL TABLES`;

const transports: readonly {
  readonly name: string;
  readonly options: Partial<AppOptions>;
  readonly only?: string;
}[] = [
  { name: 'HTTP with BSON', options: { transport: 'http' } },
  { name: 'HTTP with lines of JSON', options: { transport: 'http' }, only: 'application/x-ndjson' },
  { name: 'WebSocket', options: { transport: 'websocket' } },
];

describe.skipIf(postgresPrograms.kind === 'missing').each(transports)(
  'an app over $name',
  ({ options, only }) => {
    test('shows the rows that its user may see, through changes, deploys and restarts', async () => {
      const stage = await open(only);
      const { sql } = stage;
      const [ada, ben] = [await stage.app('ada', options), await stage.app('ben', options)];
      await ada.database.waitForFirstSync(AbortSignal.timeout(patience));
      await ada.until(listsQuery, [{ id: 'l1', name: 'one' }]);
      await ben.until(listsQuery, [{ id: 'l2', name: 'two' }]);

      await sql(`INSERT INTO lists VALUES ('l3', 'ada', 'three')`);
      await ada.until(listsQuery, [
        { id: 'l1', name: 'one' },
        { id: 'l3', name: 'three' },
      ]);
      await sql(`UPDATE lists SET name = 'changed' WHERE id = 'l3'`);
      await ada.until(listsQuery, [
        { id: 'l1', name: 'one' },
        { id: 'l3', name: 'changed' },
      ]);
      await sql(`UPDATE lists SET id = 'l4' WHERE id = 'l3'`);
      await ada.until(listsQuery, [
        { id: 'l1', name: 'one' },
        { id: 'l4', name: 'changed' },
      ]);
      await sql(`DELETE FROM lists WHERE id = 'l4'`);
      await ada.until(listsQuery, [{ id: 'l1', name: 'one' }]);

      const [own, foreign] = ['l1', 'l2'].map((list) => ada.database.syncStream('todos', { list }));
      const subscriptions = await Promise.all([own?.subscribe(), foreign?.subscribe()]);
      for (const subscription of subscriptions) {
        await subscription?.waitForFirstSync(AbortSignal.timeout(patience));
      }
      await ada.until(todosQuery, [{ id: 't1' }]);
      await own?.unsubscribeAll();
      await ada.until(todosQuery, []);

      await ada.database.execute(
        `INSERT INTO lists (id, owner, name) VALUES ('l5', 'ada', 'written offline')`,
      );
      await sql(`INSERT INTO lists VALUES ('l6', 'ada', 'by the backend')`);
      await ada.until(listsQuery, [
        { id: 'l1', name: 'one' },
        { id: 'l5', name: 'written offline' },
        { id: 'l6', name: 'by the backend' },
      ]);
      await sql(`UPDATE lists SET name = 'seen by the backend' WHERE id = 'l5'`);
      await sql(`DELETE FROM lists WHERE id = 'l6'`);
      const mine = [
        { id: 'l1', name: 'one' },
        { id: 'l5', name: 'seen by the backend' },
      ];
      await ada.until(listsQuery, mine);

      await stage.deploy(
        config.replace('SELECT * FROM lists', `SELECT id, owner, 'new ' || name AS name FROM lists`),
      );
      const renamed = mine.map(({ id, name }) => ({ id, name: `new ${name}` }));
      await ada.until(listsQuery, renamed);
      await stage.post('/api/sync-rules/v1/reprocess', '{}');
      await stage.untilSettled();
      await sql(`INSERT INTO lists VALUES ('l7', 'ada', 'after')`);
      const grown = [...renamed, { id: 'l7', name: 'new after' }];
      await ada.until(listsQuery, grown);

      await stage.service().kill();
      await sql(`INSERT INTO lists VALUES ('l8', 'ada', 'meanwhile')`);
      await stage.restart();
      await ada.until(listsQuery, [...grown, { id: 'l8', name: 'new meanwhile' }]);

      await stage.postgres.restart();
      await sql('TRUNCATE lists');
      await ada.until(listsQuery, []);
      await ben.until(listsQuery, []);
      expect(ada.tokensFetched).toBeGreaterThan(0);
    });
  },
);

/** The time limit of each step, in milliseconds. */
const patience = patient(30_000);

const listsQuery = 'SELECT id, name FROM lists ORDER BY id';
const todosQuery = 'SELECT id FROM todos';

interface Stage {
  readonly postgres: TestPostgres;
  readonly sql: (text: string) => Promise<unknown>;
  readonly service: () => ServiceProcess;
  readonly app: (user: string, options: Partial<AppOptions>) => Promise<App>;
  readonly deploy: (content: string) => Promise<void>;
  readonly post: (path: string, body: string) => Promise<unknown>;
  readonly untilSettled: () => Promise<void>;
  readonly restart: () => Promise<void>;
}

async function open(only: string | undefined): Promise<Stage> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'headwater-journey-'));
  const database = await postgres.createDatabase();
  const sql = (text: string, args?: readonly unknown[]) => postgres.query(text, args, database);
  await sql(ddl);
  const port = await freePort();
  const path = join(folder, 'service.yaml');
  writeFileSync(path, serviceConfig(postgres, database, folder, port));
  let service = await startServiceProcess(path);
  const asked = only === undefined ? port : await startProxy(port, only);
  onTestFinished(async () => {
    await service.kill();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const post = async (route: string, body: string): Promise<{ readonly data: DiagnosedDeployment }> => {
    const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
    const answer = await fetch(service.url + route, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json() as Promise<{ data: DiagnosedDeployment }>;
  };
  const untilSettled = async () => {
    const late = AbortSignal.timeout(patience);
    for (;;) {
      const { data } = await post('/api/admin/v1/diagnostics', '{}');
      if (data.active_sync_rules !== undefined && data.deploying_sync_rules === undefined) return;
      if (late.aborted)
        throw new Error(`Nothing becomes active: ${JSON.stringify(data)}\n${service.output()}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  const stage: Stage = {
    postgres,
    sql,
    post,
    untilSettled,
    service: () => service,
    app: async (user, options) =>
      openApp({
        port: asked,
        token: await clientToken(user),
        upload: (changes) => upload(sql, changes),
        ...options,
      }),
    deploy: async (content) => {
      await post('/api/sync-rules/v1/deploy', JSON.stringify({ content }));
      await untilSettled();
    },
    restart: async () => {
      service = await startServiceProcess(path);
    },
  };
  await stage.deploy(config);
  return stage;
}

interface DiagnosedDeployment {
  readonly active_sync_rules?: unknown;
  readonly deploying_sync_rules?: unknown;
}

async function upload(
  sql: (text: string, args: readonly unknown[]) => Promise<unknown>,
  changes: readonly Upload[],
): Promise<void> {
  for (const { id, opData } of changes) {
    const { owner, name } = opData as { owner: string; name: string };
    await sql('INSERT INTO lists VALUES ($1, $2, $3)', [id, owner, name]);
  }
}

function serviceConfig(
  { port: sourcePort }: TestPostgres,
  database: string,
  folder: string,
  port: number,
): string {
  return JSON.stringify({
    replication: { connections: [connectionConfig({ port: sourcePort }, database)] },
    storage: { type: 'embedded', path: join(folder, 'storage') },
    port,
    api: { tokens: [admin] },
    client_auth: clientAuth,
  });
}

/** Starts a proxy that replaces the `accept` header, because the SDK always accepts both encodings. */
function startProxy(port: number, accept: string): Promise<number> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passed = request({ port, method, path, headers: { ...headers, accept } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return new Promise((resolve) => {
    proxy.listen(0, '127.0.0.1', () => resolve((proxy.address() as AddressInfo).port));
  });
}
