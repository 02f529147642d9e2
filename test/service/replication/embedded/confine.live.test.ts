/** The lowest layer around the embedded database: what not even a superuser reaches with SQL. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import {
  type DatabaseProcess,
  startDatabase,
} from '../../../../server/service/replication/embedded/child.ts';
import { passwordFile } from '../../../../server/service/replication/embedded/password.ts';
import { libraryThatEvaluates } from '../../../support/service/hostileLibrary.ts';

let folder: string;
let database: DatabaseProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-confine-'));
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', passwordFile), 'secret');
  database = await startDatabase(
    { folder: join(folder, 'data'), password: 'secret' },
    { log: silentLog, clock: systemClock },
  );
});
afterAll(async () => {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks as the service does: with the rights of a superuser. */
const ask = async (sql: string) =>
  (await database.ask({ kind: 'query', rights: 'owner', sql, parameters: [] })).rows;

test('is JavaScript: a library that brings some is refused', async () => {
  const mark = join(folder, 'evaluated');
  const script = `globalThis.process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(mark)}, '')`;
  const library = libraryThatEvaluates(script).toString('hex');
  await ask(`SELECT lo_from_bytea(4242, decode('${library}', 'hex'))`);
  await ask("SELECT lo_export(4242, '/tmp/hostile.so')");
  await expect(ask("LOAD '/tmp/hostile.so'")).rejects.toThrow(/Code generation from strings disallowed/);
  expect(existsSync(mark)).toBe(false);
});

test.each([
  "COPY (SELECT 1) TO PROGRAM 'id'",
  "DO $$ BEGIN EXECUTE 'COPY (SELECT 1) TO PROGRAM ''id'''; END $$",
])('are programs: %s', async (sql) => {
  await expect(ask(sql)).rejects.toThrow(/could not execute command "id"/);
  expect(await ask('SELECT 1')).toEqual([['1']]);
});

test.each([
  `SELECT pg_read_file('${passwordFile}')`,
  `SELECT pg_stat_file('${passwordFile}')`,
  `COPY (SELECT 'x') TO '/pglite/data/${passwordFile}'`,
  `SELECT lo_import('/pglite/data/${passwordFile}')`,
  `DO $$ BEGIN EXECUTE 'COPY (SELECT 1) TO ''/pglite/data/headwater.reset'''; END $$`,
  `COPY (SELECT 1) TO '/pglite/data/..\\x'`,
])('are the files of the service: %s', async (sql) => {
  await expect(ask(sql)).rejects.toThrow(/No such file or directory|Operation not permitted/);
  expect(readFileSync(join(folder, 'data', passwordFile), 'utf8')).toBe('secret');
  expect(existsSync(join(folder, 'data/headwater.reset'))).toBe(false);
});
