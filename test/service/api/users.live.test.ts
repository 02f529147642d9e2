/** A real service lists the users of its source. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, startService } from '../../../server/service/assembly/service.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import { adminToken, serviceSettings } from '../../support/service/serviceSettings.ts';

const schema = `
CREATE SCHEMA auth;
CREATE TABLE auth.users (id uuid PRIMARY KEY, email text, encrypted_password text, raw_user_meta_data jsonb);
CREATE TABLE profiles (id uuid PRIMARY KEY REFERENCES auth.users (id), full_name text);
CREATE TABLE lists (id text PRIMARY KEY, owner_id uuid REFERENCES profiles (id));
INSERT INTO auth.users SELECT ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'u' || n || '@example.com', 'secret hash'
  FROM generate_series(1, 150) AS n;
INSERT INTO profiles SELECT id, 'Ada Lovelace' FROM auth.users WHERE email = 'u7@example.com';
INSERT INTO profiles SELECT id, '' FROM auth.users WHERE email = 'u8@example.com';
CREATE PUBLICATION powersync FOR ALL TABLES;
`;

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner_id = auth.user_id()
`;

interface Answer {
  readonly table?: { readonly schema: string; readonly name: string };
  readonly users?: readonly { readonly id: string; readonly name?: string; readonly address?: string }[];
  readonly more?: boolean;
  readonly problem?: string;
}

let folder: string;
let service: RunningService | undefined;

describe.skipIf(postgresPrograms.kind === 'missing')('The users of a service', () => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(sql: string, changes: object = {}): Promise<string> {
    folder = mkdtempSync(join(tmpdir(), 'headwater-users-'));
    const database = await postgres.createDatabase();
    await postgres.query(sql, undefined, database);
    const connection = { ...postgres.connection({ database, ...changes }), debugApi: true, ...changes };
    const storage = { type: 'embedded', path: folder } as const;
    const world = { clock: systemClock, log: silentLog, env: {}, fetch };
    service = await startService(serviceSettings({ connection, storage }), folder, world);
    return database;
  }

  const ask = (path: string, body: string, type = 'application/json'): Promise<Response> =>
    fetch(`${service?.url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': type },
      body,
    });

  async function deploy(content = config): Promise<void> {
    expect((await ask('/api/sync-rules/v1/deploy', content, 'application/yaml')).ok).toBe(true);
  }

  async function users(search?: string): Promise<Answer> {
    const response = await ask('/api/admin/v1/users', JSON.stringify({ search }));
    return ((await response.json()) as { readonly data: Answer }).data;
  }

  test('are listed with their name and address, and nothing else of their rows', async () => {
    await start(schema);
    await deploy();
    const all = await users();
    expect([all.table, all.users?.length, all.more]).toEqual([{ schema: 'auth', name: 'users' }, 100, true]);
    const ada = {
      id: '00000000-0000-0000-0000-000000000007',
      name: 'Ada Lovelace',
      address: 'u7@example.com',
    };
    const unnamed = { id: '00000000-0000-0000-0000-000000000008', address: 'u8@example.com' };
    expect(all.users?.slice(6, 8)).toEqual([ada, unnamed]);
    expect(JSON.stringify(all)).not.toContain('secret hash');

    expect(await users('LOVE')).toMatchObject({ users: [ada], more: false });
    expect(await users('u149@')).toMatchObject({ users: [{ address: 'u149@example.com' }], more: false });
    expect((await users('%')).users).toEqual([]);
    expect((await users(`' OR true; DROP TABLE lists --`)).users).toEqual([]);
  });

  test('are not read unless the service config allows reading rows', async () => {
    await start(schema, { debugApi: false });
    await deploy();
    expect(await users()).toEqual({ problem: expect.stringContaining('debug_api: true') });
  });

  test('are not read by a user of the database that must not read them', async () => {
    const database = await start(schema);
    await deploy();
    await service?.stop();
    await postgres.query(
      `CREATE ROLE reader LOGIN REPLICATION PASSWORD 'x'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
       CREATE ROLE headwater_reader NOLOGIN; GRANT headwater_reader TO reader;
       GRANT SELECT ON ALL TABLES IN SCHEMA public TO headwater_reader`,
      undefined,
      database,
    );
    const connection = {
      ...postgres.connection({ database, username: 'reader', password: 'x' }),
      debugApi: true,
    };
    const storage = { type: 'embedded', path: folder } as const;
    const world = { clock: systemClock, log: silentLog, env: {}, fetch };
    service = await startService(serviceSettings({ connection, storage }), folder, world);
    const answer = await users();
    expect(answer).toMatchObject({ table: { schema: 'auth', name: 'users' } });
    expect(answer.users).toBeUndefined();
    expect(answer.problem).toMatch(/permission denied/);
  });

  test('are unknown if no foreign key leads to them', async () => {
    await start(`CREATE TABLE lists (id text PRIMARY KEY, owner_id text); CREATE TABLE users (id text PRIMARY KEY);
      CREATE PUBLICATION powersync FOR ALL TABLES`);
    await deploy();
    expect(await users()).toEqual({});
  });

  test('are not listed before a config is deployed, nor with a wrong search', async () => {
    await start(schema);
    const missing = await ask('/api/admin/v1/users', '{}');
    expect([missing.status, await missing.text()]).toEqual([422, expect.stringContaining('SVC_S4104')]);
    const wrong = await ask('/api/admin/v1/users', '{"search": 1}');
    expect(wrong.status).toBe(400);
  });
});
