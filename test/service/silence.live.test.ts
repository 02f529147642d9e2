/** Connections of a service to its storage and source in PostgreSQL, which fall silent without being closed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { patient } from '../../scripts/run/patience.ts';
import { type RunningService, startService } from '../../server/service/assembly/service.ts';
import type { ClientAuthSettings } from '../../server/service/config/settings.ts';
import { systemClock } from '../../server/service/ground/clock.ts';
import { silentLog } from '../../server/service/ground/log.ts';
import type { Role } from '../../server/service/ground/world.ts';
import { clientAuth, clientToken } from '../support/clients/clientAuth.ts';
import { createSyncClient, type SyncClient } from '../support/clients/syncClient.ts';
import { openStream, type SyncStream } from '../support/clients/syncStream.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/processes/faultyProxy.ts';
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
  usualBatch,
} from '../support/processes/postgres.ts';
import { adminToken, serviceSettings } from '../support/service/serviceSettings.ts';

/** Returns the config of a revision. The rows of each revision differ, so it has to be copied. */
const configOf = (revision: number) => `
config:
  edition: 3
streams:
  todos:
    auto_subscribe: true
    query: SELECT id, title, ${revision} AS revision FROM todos
`;

/** Milliseconds until a silent connection is noticed, with ample time for a busy machine. */
const noticed = patient(60_000);

describe.skipIf(postgresPrograms.kind === 'missing')('a connection that falls silent', () => {
  let folder: string;
  let postgres: TestPostgres;
  let source: string;
  let toStorage: FaultyProxy;
  let toSource: FaultyProxy;
  let revision = 0;
  const services: RunningService[] = [];
  const clients: Following[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-'));
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.stop();
    // Connections to a silent server would keep the service from ending.
    await Promise.all([toStorage.close(), toSource.close()]);
    await Promise.all(services.splice(0).map((service) => service.stop()));
  });

  const run = (sql: string) => postgres.query(sql, [], source);
  const prepare = async () => {
    source = await postgres.createDatabase();
    await run('CREATE TABLE todos (id text PRIMARY KEY, title text)');
    await run(`CREATE PUBLICATION powersync FOR ALL TABLES; INSERT INTO todos VALUES ('1', 'first')`);
    toStorage = await startFaultyProxy(postgres.port);
    toSource = await startFaultyProxy(postgres.port);
  };

  interface Ways {
    readonly storage?: number;
    readonly source?: number;
  }
  const start = async (role: Role, ways: Ways = {}): Promise<RunningService> => {
    const connection = postgres.connection({ database: source, port: ways.source ?? postgres.port });
    const storage = { ...connection, port: ways.storage ?? postgres.port };
    const service = await startService(
      {
        ...serviceSettings({
          role,
          connection,
          storage: { ...storage, type: 'postgresql', batch: usualBatch },
          clientAuth: {
            keys: clientAuth.jwks.keys as unknown as ClientAuthSettings['keys'],
            audience: clientAuth.audience,
          },
        }),
        probes: { files: false, http: true },
      },
      folder,
      { clock: systemClock, log: silentLog, env: {}, fetch },
    );
    services.push(service);
    return service;
  };

  const readiness = async ({ url }: RunningService) => (await fetch(`${url}/probes/readiness`)).status;
  const post = async ({ url }: RunningService, path: string, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  const diagnostics = (service: RunningService) => post(service, '/api/admin/v1/diagnostics', {});
  const deploy = async (service: RunningService) => {
    revision += 1;
    const content = configOf(revision);
    expect((await post(service, '/api/sync-rules/v1/deploy', { content })).status).toBe(200);
  };
  const follow = (service: RunningService): Following => {
    const client = followService(service.port ?? 0);
    clients.push(client);
    return client;
  };
  const titles = ({ client }: Following) =>
    [...client.rows.values()].map((data) => (JSON.parse(data) as { title: string }).title).sort();
  const shows = (client: Following, ...expected: readonly string[]) =>
    expect.poll(() => titles(client), { timeout: noticed, interval: 50 }).toEqual(expected);

  const apart = async () => {
    await prepare();
    const api = await start('api', { storage: toStorage.port });
    await start('sync');
    await deploy(api);
    const client = follow(api);
    await shows(client, 'first');
    return { api, client };
  };

  test('is replaced if it delivers notifications of the storage, and clients miss nothing', async () => {
    const { api, client } = await apart();
    expect(toStorage.setPresent('swallow', /LISTEN headwater/)).toBe(1);
    await run(`UPDATE todos SET title = 'changed' WHERE id = '1'`);
    await shows(client, 'changed');
    expect(client.refused).not.toContainEqual([503, 'SVC_S2402']);
    expect(await readiness(api)).toBe(200);
  });

  test('does not keep clients on a deployment that was replaced meanwhile', async () => {
    const { api, client } = await apart();
    const [before] = client.client.bucketNames;
    expect(toStorage.setPresent('swallow', /LISTEN headwater/)).toBe(1);
    await deploy(api);
    await expect
      .poll(() => client.client.bucketNames, { timeout: noticed, interval: 50 })
      .not.toContain(before);
    await shows(client, 'first');
  });

  test('disconnects clients if all connections to the storage are silent, because their rows may be outdated', async () => {
    const { api, client } = await apart();
    toStorage.set('swallow');
    await run(`UPDATE todos SET title = 'changed' WHERE id = '1'`);
    await expect.poll(() => readiness(api), { timeout: noticed }).toBe(400);
    await expect.poll(() => client.refused.at(-1), { timeout: noticed }).toEqual([503, 'SVC_S2402']);
    expect(client.isConnected()).toBe(false);
    const said = await diagnostics(api);
    expect([said.status, said.text]).toEqual([503, expect.stringContaining('SVC_S2402')]);
    toStorage.set('pass');
    await shows(client, 'changed');
    expect(await readiness(api)).toBe(200);
    expect((await diagnostics(api)).text).not.toContain('SVC_S2402');
  });

  test('is not assumed if the connection is closed or slow', async () => {
    const { api, client } = await apart();
    toStorage.setPresent('close');
    await run(`UPDATE todos SET title = 'second' WHERE id = '1'`);
    await shows(client, 'second');
    toStorage.set({ delay: 300 });
    await run(`UPDATE todos SET title = 'third' WHERE id = '1'`);
    await shows(client, 'third');
    toStorage.set('hold');
    await run(`UPDATE todos SET title = 'fourth' WHERE id = '1'`);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    toStorage.set('pass');
    await shows(client, 'fourth');
    expect(await readiness(api)).toBe(200);
    expect(client.refused).not.toContainEqual([503, 'SVC_S2402']);
  });

  test('is reported at the start if only notifications are lost, as behind a pooler', async () => {
    await prepare();
    toStorage.set('mute');
    await expect(start('api', { storage: toStorage.port })).rejects.toThrow(/pooler in transaction mode/);
  });

  test('is reported in diagnostics if notifications are lost later', async () => {
    const { api, client } = await apart();
    toStorage.set('mute');
    await expect.poll(() => readiness(api), { timeout: noticed }).toBe(400);
    const said = await diagnostics(api);
    expect([said.status, JSON.parse(said.text).data.active_sync_rules.errors]).toEqual([
      200,
      [expect.objectContaining({ level: 'fatal', code: 'SVC_S2402' })],
    ]);
    toStorage.set('pass');
    await run(`UPDATE todos SET title = 'changed' WHERE id = '1'`);
    await shows(client, 'changed');
  });

  test('is replaced if it is used to read for clients', async () => {
    const { api } = await apart();
    // The idle connections of the pool fall silent.
    toStorage.setPresent('swallow', /^(?!.*LISTEN headwater)/s);
    await shows(follow(api), 'first');
  });

  test('is replaced if it is used for a deploy', async () => {
    const { api } = await apart();
    toStorage.setPresent('swallow', /^(?!.*LISTEN headwater)/s);
    await deploy(api);
  });

  const together = async () => {
    await prepare();
    const service = await start('unified', { storage: toStorage.port, source: toSource.port });
    await deploy(service);
    const client = follow(service);
    await shows(client, 'first');
    return { service, client };
  };

  test('is replaced if replication writes over it', async () => {
    const { client } = await together();
    toStorage.setPresent('swallow', /^(?!.*LISTEN headwater)/s);
    await run(`INSERT INTO todos VALUES ('2', 'second')`);
    await shows(client, 'first', 'second');
  });

  test('is replaced if it delivers changes of the source', async () => {
    const { client } = await together();
    expect(toSource.setPresent('swallow', /START_REPLICATION/)).toBe(1);
    await run(`INSERT INTO todos VALUES ('2', 'second')`);
    await shows(client, 'first', 'second');
  });

  test('is replaced if it is used to ask the source about itself', async () => {
    const { service, client } = await together();
    expect((await diagnostics(service)).text).toContain('"connected":true');
    toSource.setPresent('swallow', /^(?!.*START_REPLICATION)/s);
    expect((await diagnostics(service)).text).toContain('has not answered');
    await expect
      .poll(async () => (await diagnostics(service)).text, { timeout: noticed })
      .toContain('"connected":true');
    await run(`INSERT INTO todos VALUES ('2', 'second')`);
    await shows(client, 'first', 'second');
  });

  test('is reported if all connections to the source are silent, and nothing is lost', async () => {
    const { service, client } = await together();
    toSource.set('swallow');
    await run(`INSERT INTO todos VALUES ('2', 'second')`);
    await expect
      .poll(async () => (await diagnostics(service)).text, { timeout: noticed })
      .toContain('does not answer');
    // Stored rows are still served.
    expect(await readiness(service)).toBe(200);
    expect(client.isConnected()).toBe(true);
    toSource.set('pass');
    await shows(client, 'first', 'second');
  });
});

interface Following {
  readonly client: SyncClient;
  /** Status and code of attempts that were refused. */
  readonly refused: readonly (readonly [number, string])[];
  isConnected(): boolean;
  stop(): void;
}

/** Follows a service, and connects again as SDKs do, only sooner. */
function followService(port: number): Following {
  const client = createSyncClient();
  const refused: (readonly [number, string])[] = [];
  let stream: SyncStream | undefined;
  let isStopped = false;
  const connect = async (): Promise<void> => {
    while (!isStopped) {
      const body = { raw_data: true, buckets: client.positions };
      stream = await openStream(port, { token: await clientToken('ada'), body, client }).catch(
        () => undefined,
      );
      await stream?.ended;
      if (stream !== undefined && stream.status !== 200) {
        const { error } = stream.error as { error: { code: string } };
        refused.push([stream.status, error.code]);
      }
      stream = undefined;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  void connect();
  return {
    client,
    refused,
    isConnected: () => stream?.status === 200,
    stop: () => {
      isStopped = true;
      stream?.close();
    },
  };
}
