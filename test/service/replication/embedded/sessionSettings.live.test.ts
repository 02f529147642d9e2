/** Connections of the embedded database share one session, and each of them sees only its own settings. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import { openEmbeddedSource } from '../../../../server/service/replication/embedded/source.ts';
import type { Source } from '../../../../server/service/replication/source.ts';

const connection = { type: 'embedded', id: 'default', tag: 'default', debugApi: false } as const;

let folder: string;
let source: Source;
let client: pg.Client;
let other: pg.Client;
let usual: object;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-settings-'));
  const world = { clock: systemClock, log: silentLog, env: {}, fetch };
  source = await openEmbeddedSource(connection, folder, world);
  client = new pg.Client({ connectionString: source.clientUri });
  other = new pg.Client({ connectionString: source.clientUri });
  await client.connect();
  await other.connect();
  [usual] = (await other.query(show)).rows;
  await client.query('CREATE ROLE member');
});
afterAll(async () => {
  await client.end();
  await other.end();
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

afterEach(() => run('ROLLBACK', 'RESET ROLE', 'RESET ALL', 'RESET app.x'));

/** Runs statements, with a turn of another connection after each of them, and returns the rows of the last one. */
async function run(...statements: readonly string[]): Promise<readonly unknown[]> {
  let rows: readonly unknown[] = [];
  for (const sql of statements) {
    const result = await client.query(sql).catch((error: Error) => ({ rows: [error.message] }));
    rows = [result].flat().at(-1)?.rows ?? [];
    await other.query('SELECT 1');
  }
  return rows;
}

const show = `SELECT current_user::text AS "user", current_setting('search_path') AS path, nullif(current_setting('app.x', true), '') AS x`;

describe('the settings of a connection', () => {
  test.each([
    [['SET search_path = app'], { path: 'app' }],
    [['SET search_path = app', 'RESET search_path'], {}],
    [['SET search_path = app', 'SET search_path = other'], { path: 'other' }],
    [['/* why */ SET search_path = app'], { path: 'app' }],
    [["SELECT set_config('search_path', 'app', false)"], { path: 'app' }],
    [["SELECT set_config('search_path', 'app', true)"], {}],
    [["SELECT pg_catalog.set_config('search_path', '', false)"], { path: '' }],
    [['SET LOCAL search_path = app'], {}],
    [['BEGIN; SET search_path = app; ROLLBACK'], {}],
    [['BEGIN; SET search_path = app; COMMIT'], { path: 'app' }],
    [['SET search_path = app, nonsense('], {}],
    [["SET app.x = 'it''s'"], { x: "it's" }],
    [['SET search_path = app', 'RESET ALL'], {}],
    [['SET search_path = app', 'DISCARD ALL'], {}],
    [["SELECT set_config('app.x', 'a', false)"], { x: 'a' }],
    [["SET app.x = 'a'", 'RESET app.x'], {}],
    [['SET standard_conforming_strings = off', "SET app.x = E'a\\\\b'"], { x: 'a\\b' }],
    [["DO $$ BEGIN PERFORM set_config('search_path', 'app', false); END $$"], { path: 'app' }],
    [['SET ROLE member'], { user: 'member' }],
    [['SET ROLE member', 'RESET ROLE'], {}],
    [['SET ROLE member', 'SET ROLE NONE'], {}],
    [['SET ROLE member', 'RESET ALL'], { user: 'member' }],
    [["SET search_path = app; SET app.x = '1'; SET ROLE member"], { user: 'member', path: 'app', x: '1' }],
  ])('after %j', async (statements, changed) => {
    await run(...statements);
    expect((await client.query(show)).rows).toEqual([{ ...usual, ...changed }]);
    expect((await other.query(show)).rows).toEqual([usual]);
  });
});

test('a statement that follows a setting in one message runs once', async () => {
  await run('CREATE TABLE once (id int)');
  await run('SET search_path = public; INSERT INTO once VALUES (1)', 'SELECT 1', 'SELECT 1');
  expect(await run('SELECT * FROM once')).toEqual([{ id: 1 }]);
});
