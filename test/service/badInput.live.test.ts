/** A service reports problems of its surroundings and keeps running. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type RunningService, startService } from '../../server/service/assembly/service.ts';
import type { PostgresConnection } from '../../server/service/config/settings.ts';
import { systemClock } from '../../server/service/ground/clock.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../support/processes/postgres.ts';
import { adminToken, serviceSettings } from '../support/service/serviceSettings.ts';

const config = `config:
  edition: 3
streams:
  todos:
    auto_subscribe: true
    query: SELECT id, title FROM todos
  gone:
    query: SELECT * FROM nowhere
`;

interface Status {
  readonly errors: readonly { readonly level: string; readonly message: string; readonly ts?: string }[];
  readonly connections: readonly Readonly<Record<string, unknown>>[];
}

interface Diagnosis {
  readonly connections: readonly {
    readonly connected: boolean;
    readonly errors: readonly { message: string }[];
  }[];
  readonly active_sync_rules?: Status;
  readonly deploying_sync_rules?: Status;
}

describe.skipIf(postgresPrograms.kind === 'missing')('the service', () => {
  let postgres: TestPostgres;
  let database: string;
  let folder: string;
  let service: RunningService | undefined;
  const said: string[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-'));
    database = await postgres.createDatabase();
    const run = (sql: string) => postgres.query(sql, [], database);
    await run('CREATE TABLE todos (id text PRIMARY KEY, title text)');
    await run('CREATE PUBLICATION powersync FOR ALL TABLES');
    await run(`INSERT INTO todos VALUES ('1', 'first')`);
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    said.splice(0);
    rmSync(folder, { recursive: true });
  });

  test('names rows over the limit and missing tables, and reports its lag and the state of the slot', async () => {
    await start();
    await deploy();
    await expect.poll(async () => (await diagnose()).active_sync_rules).toBeDefined();
    await postgres.query(`INSERT INTO todos VALUES ('2', repeat('x', 16 * 1024 * 1024))`, [], database);
    const errors = async () => (await diagnose()).active_sync_rules?.errors ?? [];
    await expect.poll(errors).toContainEqual({
      level: 'warning',
      message: expect.stringMatching(/^public\.todos, id=2: \[SVC_S1002\] The row is too large: \d+ bytes/),
      ts: expect.stringMatching(/Z$/),
    });
    expect((await errors()).map(({ message }) => message).join('\n')).toContain('"nowhere"');
    const [connection] = (await diagnose()).active_sync_rules?.connections ?? [];
    expect(connection).toMatchObject({
      slot_health: { level: 'ok', message: expect.stringContaining('KiB behind') },
      replication: { lag_seconds: expect.any(Number) },
    });
  });

  test('runs while the source is down, reports this, and replicates when the source is back', async () => {
    await postgres.halt();
    await start();
    await deploy();
    const failing = async () => {
      const { connections, deploying_sync_rules: pending } = await diagnose();
      return [connections[0]?.connected, ...(pending?.errors ?? []).map(({ message }) => message)].join('\n');
    };
    await expect.poll(failing).toMatch(/^false\n.*Nothing listens at 127\.0\.0\.1/s);
    await postgres.resume();
    await expect.poll(async () => (await diagnose()).active_sync_rules).toBeDefined();
  });

  test('reports that its source is silent before the caller gives up', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    await start({ connection: { port: (silent.address() as AddressInfo).port } });
    await deploy();
    const { connections, deploying_sync_rules: pending } = await diagnose();
    const problem = {
      level: 'warning',
      message: expect.stringMatching(/^The source has not answered for 5 s/),
    };
    expect(connections[0]).toMatchObject({ connected: false, errors: [problem] });
    expect(pending?.errors).toContainEqual(expect.objectContaining(problem));
  });

  test('tries a wrong password less and less often, and shows the answer of the server', async () => {
    await start({ connection: { password: 'not the password' } });
    await deploy();
    const pending = async () => (await diagnose()).deploying_sync_rules;
    await expect
      .poll(async () => (await pending())?.errors.map(({ message }) => message))
      .toContainEqual(expect.stringContaining('does not accept the password'));
    const [attempt] = (await pending())?.connections ?? [];
    expect(attempt).toMatchObject({ replication: { failures: 1, next_attempt_ts: expect.any(String) } });
    expect(said.join('\n')).not.toContain('not the password');
  });

  test('reports at its start that the keys for tokens cannot be fetched', async () => {
    await start({ keySetUris: ['http://127.0.0.1:1/keys'] });
    await expect
      .poll(() => said)
      .toContainEqual(expect.stringContaining('warn: The key set http://127.0.0.1:1/keys cannot be fetched'));
  });

  test('shows a configured sync config with errors as pending, and continues with the active one', async () => {
    await start();
    await deploy();
    await expect.poll(async () => (await diagnose()).active_sync_rules).toBeDefined();
    await service?.stop();
    await start({ syncConfig: 'config: { edition: 3 }\nstreams:\n  s:\n    query: SELECT * FROM\n' });
    await expect.poll(diagnose).toMatchObject({
      active_sync_rules: {
        errors: expect.not.arrayContaining([expect.objectContaining({ level: 'fatal' })]),
      },
      deploying_sync_rules: { connections: [], errors: [expect.objectContaining({ level: 'fatal' })] },
    });
    await postgres.query(`INSERT INTO todos VALUES ('2', 'second')`, [], database);
    const rows = async () => {
      const [connection] = (await diagnose()).active_sync_rules?.connections ?? [];
      return (connection?.replication as { replicated_rows?: number } | undefined)?.replicated_rows;
    };
    await expect.poll(rows).toBe(1);
  });

  async function start({ connection = {}, keySetUris = [], syncConfig }: Changes = {}): Promise<void> {
    const log = { write: (level: string, message: string) => void said.push(`${level}: ${message}`) };
    const settings = serviceSettings({
      connection: postgres.connection({ database, ...connection }),
      storage: { type: 'embedded', path: join(folder, 'data') },
      clientAuth: { keySetUris },
      ...(syncConfig !== undefined && {
        syncConfig: { origin: 'the test', from: { content: syncConfig }, exitOnError: false },
      }),
    });
    service = await startService(settings, folder, { clock: systemClock, log, env: {}, fetch });
  }

  const deploy = () => call('/api/sync-rules/v1/deploy', { content: config });

  async function diagnose(): Promise<Diagnosis> {
    const { data } = (await call('/api/admin/v1/diagnostics', {})) as { data: Diagnosis };
    return data;
  }

  async function call(path: string, body: object): Promise<unknown> {
    const response = await fetch(`${service?.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  }
});

interface Changes {
  readonly connection?: Partial<PostgresConnection>;
  readonly keySetUris?: readonly string[];
  readonly syncConfig?: string;
}
