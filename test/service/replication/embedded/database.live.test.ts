/** The process of the embedded database, used by ordinary clients. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import {
  type DatabaseProcess,
  startDatabase,
} from '../../../../server/service/replication/embedded/child.ts';
import { message } from '../../../../server/service/replication/embedded/database/messages.ts';

const world = { log: silentLog, clock: systemClock };

let folder: string;
let database: DatabaseProcess;
const clients: pg.Client[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-database-'));
  database = await startDatabase({ folder: join(folder, 'db'), password: 'secret' }, world);
});

afterAll(async () => {
  await Promise.all(clients.map((each) => each.end().catch(() => undefined)));
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  const one = await client();
  await one.query('DROP TABLE IF EXISTS t; CREATE TABLE t (id int PRIMARY KEY, a text)');
  await one.end();
});

async function client(options: pg.ClientConfig = {}): Promise<pg.Client> {
  const opened = new pg.Client({
    host: '127.0.0.1',
    port: database.port,
    user: 'postgres',
    password: 'secret',
    database: 'postgres',
    ...options,
  });
  opened.on('error', () => undefined);
  await opened.connect();
  clients.push(opened);
  return opened;
}

describe('clients of the embedded database', () => {
  test('write and read', async () => {
    const one = await client();
    await one.query('INSERT INTO t VALUES ($1, $2)', [1, 'x']);
    expect((await one.query('SELECT * FROM t')).rows).toEqual([{ id: 1, a: 'x' }]);
  });

  test('can continue after an error', async () => {
    const one = await client();
    await expect(one.query('SELECT $1::int + nothing', [1])).rejects.toThrow(/nothing/);
    await expect(one.query('SELEC 1')).rejects.toThrow(/SELEC/);
    expect((await one.query('SELECT $1::int AS n', [1])).rows).toEqual([{ n: 1 }]);
  });

  test('may use the same name for different prepared statements', async () => {
    const [one, other] = [await client(), await client()];
    const [first] = (await one.query({ name: 'q', text: 'SELECT $1::int AS n', values: [1] })).rows;
    const [second] = (await other.query({ name: 'q', text: 'SELECT $1::text AS s', values: ['x'] })).rows;
    const [third] = (await one.query({ name: 'q', text: 'SELECT $1::int AS n', values: [3] })).rows;
    expect([first, second, third]).toEqual([{ n: 1 }, { s: 'x' }, { n: 3 }]);
  });

  test('have their own transactions', async () => {
    const [one, other] = [await client(), await client()];
    await one.query('BEGIN');
    await one.query(`INSERT INTO t VALUES (1, 'mine')`);
    const seen = other.query('SELECT * FROM t');
    await one.query('ROLLBACK');
    expect((await seen).rows).toEqual([]);
  });

  test('lose an open transaction with their connection, and do not keep others waiting', async () => {
    const [one, other] = [await client(), await client()];
    await one.query('BEGIN');
    await one.query(`INSERT INTO t VALUES (1, 'mine')`);
    (one as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    expect((await other.query('SELECT * FROM t')).rows).toEqual([]);
  });

  test('keep their settings to themselves', async () => {
    const [one, other] = [await client(), await client()];
    await one.query(`SET TIME ZONE 'Asia/Tokyo'`);
    const zone = async (each: pg.Client) => (await each.query('SHOW timezone')).rows[0].TimeZone;
    expect([await zone(other), await zone(one), await zone(other)]).toEqual(['UTC', 'Asia/Tokyo', 'UTC']);
  });

  test('copy in and out', async () => {
    const one = await client();
    await pipeline(Readable.from(['1\ta\n2\t\\N\n', '3\tc\n']), one.query(copyFrom('COPY t FROM STDIN')));
    expect((await one.query('SELECT * FROM t ORDER BY id')).rows).toEqual([
      { id: 1, a: 'a' },
      { id: 2, a: null },
      { id: 3, a: 'c' },
    ]);
    expect(await text(one.query(copyTo('COPY t TO STDOUT')))).toBe('1\ta\n2\t\\N\n3\tc\n');
  });

  test('get the error of a failed copy and can continue', async () => {
    const one = await client();
    const copy = one.query(copyFrom('COPY t FROM STDIN'));
    await expect(pipeline(Readable.from(['x\ta\n']), copy)).rejects.toThrow(/integer/);
    expect((await one.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  });

  test('may create the usual extensions, also in a transaction', async () => {
    const one = await client();
    await one.query('BEGIN');
    await one.query('CREATE EXTENSION IF NOT EXISTS "uuid-ossp"; CREATE EXTENSION "pgcrypto"');
    await one.query({ name: 'c', text: 'create extension citext' });
    await one.query('COMMIT');
    for (const name of ['pg_trgm', 'hstore', 'ltree', 'unaccent'])
      await one.query(`CREATE EXTENSION ${name}`);
    const { rows } = await one.query(
      `SELECT length(uuid_generate_v4()::text) AS a, encode(digest('x', 'md5'), 'hex') AS b, 'A'::citext = 'a' AS c,
       similarity('word', 'wort') > 0.3 AS d, ('a=>1'::hstore)->'a' AS e, 'a.b'::ltree @> 'a.b.c' AS f, unaccent('é') AS g`,
    );
    expect(rows).toEqual([
      { a: 36, b: '9dd4e461268c8034f5c8564e155c67a6', c: true, d: true, e: '1', f: true, g: 'e' },
    ]);
  });

  test('still have their extensions after a restart of the database', async () => {
    await (await client()).query('CREATE EXTENSION IF NOT EXISTS "hstore"');
    await database.stop();
    database = await startDatabase({ folder: join(folder, 'db'), password: 'secret' }, world);
    const { rows } = await (await client()).query(`SELECT ('a=>1'::hstore)->'a' AS a`);
    expect(rows).toEqual([{ a: '1' }]);
  });

  test('get an error that names a missing extension', async () => {
    await expect((await client()).query('CREATE EXTENSION postgis')).rejects.toThrow(
      'extension "postgis" is not available',
    );
  });

  test('get an error that explains why they cannot replicate from it', async () => {
    await expect(client({ replication: 'database' } as pg.ClientConfig)).rejects.toThrow(
      /captures its changes itself/,
    );
  });

  test('do no harm when they send garbage', async () => {
    for (const garbage of ['GET / HTTP/1.1\r\n\r\n', '\0\0\0\x08\0\x03\0\0\xff\xff\xff\xff', '\0']) {
      const socket = connect(database.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(garbage, 'latin1');
      socket.end();
      socket.resume();
      await new Promise((resolve) => socket.once('close', resolve));
    }
    const one = await client();
    expect((await one.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  });
});

describe('the password of the embedded database', () => {
  test.each(['', 'other', 'secret '])('is required: %j is refused', async (password) => {
    await expect(client({ password })).rejects.toThrow(
      /password authentication failed for user "postgres"|must be a (non-empty )?string/,
    );
  });

  test('is accepted from psql, which is refused without it', () => {
    const psql = (password: string) =>
      spawnSync(
        'psql',
        ['-w', '-h', '127.0.0.1', '-p', String(database.port), '-U', 'postgres', '-Atc', 'SELECT 42'],
        { encoding: 'utf8', env: { ...process.env, PGPASSWORD: password } },
      );
    const { error, stdout } = psql('secret');
    if (error !== undefined) return;
    expect(stdout.trim()).toBe('42');
    expect(psql('').stderr).toMatch(/no password supplied/);
    expect(psql('wrong').stderr).toMatch(/password authentication failed/);
  });

  test('is required before any statement runs', async () => {
    const socket = connect(database.port, '127.0.0.1');
    const answer = text(socket);
    const parameters = Buffer.from('user\0postgres\0\0');
    const startup = Buffer.alloc(8);
    startup.writeInt32BE(8 + parameters.length, 0);
    startup.writeInt32BE(196_608, 4);
    const query = message('Q', 'DROP TABLE t');
    socket.write(Buffer.concat([startup, parameters, query]));
    expect(await answer).toContain('The client must sign in first.');
    expect((await (await client()).query('SELECT * FROM t')).rows).toEqual([]);
  });

  test('is required before much input is read', async () => {
    const socket = connect(database.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const startup = Buffer.alloc(100_000);
    startup.writeInt32BE(1 << 29, 0);
    startup.writeInt32BE(196_608, 4);
    const answer = text(socket);
    socket.write(startup);
    expect(await answer).toContain('The client must sign in first.');
  });

  test('is not in the command line of the process', () => {
    const pid = readFileSync(join(folder, 'db/owner.pid'), 'utf8').trim();
    const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', pid], { encoding: 'utf8' });
    expect(stdout).toContain('database');
    expect(stdout).not.toContain('secret');
  });
});

test.runIf(process.platform === 'linux')(
  'a project is loaded without optimising the parser, which would take 600 MB of memory',
  async () => {
    // V8 optimises while the statement waits.
    const flag = '--wasm-sync-tier-up';
    process.execArgv.push(flag);
    const place = join(folder, 'alone');
    const alone = await startDatabase({ folder: place, password: 'secret' }, world).finally(() =>
      process.execArgv.splice(process.execArgv.indexOf(flag), 1),
    );
    try {
      // The loop of the parser runs some ten times for each number. A project of usual size has some thousand names and values.
      await alone.ask({ kind: 'execute', sql: `SELECT ARRAY[${'1,'.repeat(5_000)}1]` });
      const pid = readFileSync(join(place, 'owner.pid'), 'utf8').trim();
      const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      expect(Number(peak)).toBeLessThan(500_000);
    } finally {
      await alone.stop();
    }
  },
);
