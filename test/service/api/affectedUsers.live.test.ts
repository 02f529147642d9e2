/** A real service finds the users who gain or lose rows by a config that is not deployed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openApi } from '../../../client/api/api.ts';
import { patient } from '../../../scripts/run/patience.ts';
import { type RunningService, startService } from '../../../server/service/assembly/service.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import { adminToken, serviceSettings } from '../../support/service/serviceSettings.ts';

const schema = `
CREATE TABLE users (id text PRIMARY KEY, name text);
CREATE TABLE jobs (id text PRIMARY KEY, owner_id text REFERENCES users (id), helper_id text REFERENCES users (id), org text);
CREATE TABLE big (id text PRIMARY KEY, owner_id text);
CREATE TABLE shifts (id text PRIMARY KEY, team int);
INSERT INTO shifts VALUES ('s', 1);
INSERT INTO users VALUES ('a', 'Ada'), ('b', 'Brian'), ('c', NULL);
INSERT INTO jobs VALUES ('job-1', 'a', 'b', 'x'), ('job-2', 'a', NULL, 'x'), ('job-3', 'b', 'b', 'x');
INSERT INTO big SELECT n::text, 'a' FROM generate_series(1, 5001) AS n;
CREATE PUBLICATION powersync FOR ALL TABLES;
`;

const config = (...queries: readonly string[]) =>
  `config: { edition: 3 }
streams:
  jobs:
    auto_subscribe: true
    queries:
${queries.map((query) => `      - ${query}`).join('\n')}
  large:
    query: SELECT * FROM big WHERE owner_id = auth.user_id()
`;

const own = 'SELECT * FROM jobs WHERE owner_id = auth.user_id()';
const helped = 'SELECT * FROM jobs WHERE helper_id = auth.user_id()';

describe.skipIf(postgresPrograms.kind === 'missing')('The users affected by a deploy', () => {
  let postgres: TestPostgres;
  let folder: string;
  let database: string;
  let service: RunningService | undefined;
  let close = async () => {};

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());
  afterEach(async () => {
    await close();
    await service?.stop();
    service = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(changes: object = {}) {
    folder = mkdtempSync(join(tmpdir(), 'headwater-affected-'));
    database = await postgres.createDatabase();
    await postgres.query(schema, undefined, database);
    const connection = { ...postgres.connection({ database }), debugApi: true, ...changes };
    const storage = { type: 'embedded', path: folder } as const;
    const world = { clock: systemClock, log: silentLog, env: {}, fetch };
    service = await startService(serviceSettings({ connection, storage }), folder, world);
    const api = openApi({ url: String(service.url), token: String(adminToken) });
    close = () => api.close();
    return api;
  }

  async function deployed(content: string, changes: object = {}) {
    const api = await start(changes);
    await api.deploy(content);
    await expect.poll(async () => (await api.diagnose()).active, { timeout: patient(60_000) }).toBeDefined();
    return api;
  }

  test('are named, with the user who has the same row', async () => {
    const api = await deployed(config(own));
    expect(await api.affectedUsers(config(own, helped))).toEqual({
      users: 3,
      streams: [
        {
          name: 'jobs',
          changes: [
            {
              kind: 'gained',
              table: 'jobs',
              user: { id: 'b', name: 'Brian' },
              rows: 1,
              example: 'job-1',
              holder: { id: 'a', name: 'Ada' },
            },
          ],
          more: 0,
          unknown: [],
        },
      ],
    });
    expect((await api.affectedUsers(config(helped)))?.streams[0]?.changes).toEqual([
      {
        kind: 'gained',
        table: 'jobs',
        user: { id: 'b', name: 'Brian' },
        rows: 1,
        example: 'job-1',
      },
      { kind: 'lost', table: 'jobs', user: { id: 'a', name: 'Ada' }, rows: 2, example: 'job-1' },
    ]);
  });

  test('are the values of another claim, if the config compares only that one with columns', async () => {
    const before = config(own).replaceAll('auth.user_id()', "auth.parameter('$.app.person')");
    const after = config(own, helped).replaceAll('auth.user_id()', "auth.parameter('$.app.person')");
    const api = await deployed(before);
    const change = { kind: 'gained', table: 'jobs', rows: 1, example: 'job-1' };
    expect(await api.affectedUsers(after)).toEqual({
      users: 3,
      streams: [
        {
          name: 'jobs',
          changes: [{ ...change, user: { id: 'b', name: 'Brian' }, holder: { id: 'a', name: 'Ada' } }],
          more: 0,
          unknown: [],
        },
      ],
    });
    // No table of users belongs to this column.
    const byOrg = (column: string) =>
      config(
        `SELECT * FROM jobs WHERE ${column} = auth.parameter('org')`,
        own.replace('owner_id = auth.user_id()', "org = 'y'"),
      );
    await api.deploy(byOrg('org'));
    await expect
      .poll(async () => (await api.diagnose()).pending, { timeout: patient(60_000) })
      .toBeUndefined();
    expect((await api.affectedUsers(byOrg('helper_id')))?.streams[0]).toEqual({
      name: 'jobs',
      changes: [
        { ...change, user: { id: 'b', name: 'org b' }, rows: 2 },
        { ...change, kind: 'lost', user: { id: 'x', name: 'org x' }, rows: 3 },
      ],
      more: 0,
      unknown: [],
    });
    // The result of a function is not a value of the claim. A number in the table may be a text in the token.
    const upper = config("SELECT * FROM jobs WHERE upper(org) = auth.parameter('org')");
    expect(await api.affectedUsers(upper)).toMatchObject({ unknown: 'no_users' });
    const byNumber = config("SELECT * FROM shifts WHERE team = auth.parameter('org')");
    expect((await api.affectedUsers(byNumber))?.streams[0]?.unknown).toEqual([
      { reason: 'values', of: ["auth.parameter('org')"] },
    ]);
  });

  test('are known for a table with several pages of rows', async () => {
    const api = await deployed(config(own));
    await postgres.query(`DELETE FROM big WHERE id = '5001'`, undefined, database);
    const open = config(own).replace(' FROM big WHERE owner_id = auth.user_id()', ' FROM big');
    expect((await api.affectedUsers(open))?.streams).toEqual([
      {
        name: 'large',
        changes: ['b', 'c'].map((id) =>
          expect.objectContaining({
            user: expect.objectContaining({ id }),
            rows: 5000,
            holder: { id: 'a', name: 'Ada' },
          }),
        ),
        more: 0,
        unknown: [],
      },
    ]);
  });

  test('are unknown where not all rows or values are known', async () => {
    const api = await deployed(config(own));
    const later = config(`${own} AND org = auth.parameter('org')`);
    const open = later.replace(' FROM big WHERE owner_id = auth.user_id()', ' FROM big');
    expect((await api.affectedUsers(open))?.streams).toEqual([
      { name: 'jobs', changes: [], more: 0, unknown: [{ reason: 'values', of: ["auth.parameter('org')"] }] },
      { name: 'large', changes: [], more: 0, unknown: [{ reason: 'rows', of: ['big'] }] },
    ]);
  });

  test('are unknown if no config is active, or if the service must not read rows', async () => {
    const api = await start();
    expect(await api.affectedUsers(config(own))).toEqual({
      users: 0,
      streams: [],
      unknown: 'nothing_active',
    });
    await expect(api.affectedUsers('streams: { a: 1 }')).rejects.toThrow();
    await close();
    await service?.stop();
    const closed = await deployed(config(own), { debugApi: false });
    expect(await closed.affectedUsers(config(helped))).toEqual({
      users: 0,
      streams: [],
      unknown: 'no_queries',
    });
  });
});
