/** Scripts and clients of the embedded database own it, but are not superusers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import { openEmbeddedSource } from '../../../../server/service/replication/embedded/source.ts';
import type { Source } from '../../../../server/service/replication/source.ts';
import { pattern } from '../postgres/support.ts';
import { ask } from './projectDatabase.ts';

const world = { clock: systemClock, log: silentLog, env: {}, fetch };
const connection = { type: 'embedded', id: 'default', tag: 'default', debugApi: false } as const;

let folder: string;
let source: Source;
let client: pg.Client;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-roles-'));
  source = await openEmbeddedSource(connection, join(folder, 'new'), world);
  client = await connect(source);
});
afterAll(async () => {
  await client.end();
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

async function connect({ clientUri }: Source): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: clientUri });
  opened.on('error', () => undefined);
  await opened.connect();
  return opened;
}

/** Whether PostgreSQL grants a right of superusers, whatever the settings say. */
const mayActAsSuperuser = async (): Promise<boolean> =>
  client.query("SELECT pg_read_file('PG_VERSION')").then(
    () => true,
    () => false,
  );

describe('a client does not become a superuser', () => {
  test.each([
    'RESET SESSION AUTHORIZATION',
    'SET SESSION AUTHORIZATION DEFAULT',
    'SET SESSION AUTHORIZATION pg_headwater',
    "SELECT set_config('session_authorization', 'pg_headwater', false)",
    'SET ROLE pg_headwater',
    'SET ROLE NONE',
    'RESET ALL',
    'DISCARD ALL',
    'ALTER ROLE postgres SUPERUSER',
    'ALTER ROLE pg_headwater RENAME TO other',
    'GRANT pg_headwater TO postgres',
    'CREATE ROLE other SUPERUSER',
    'GRANT pg_read_server_files TO postgres',
    'GRANT pg_execute_server_program TO postgres',
    "UPDATE pg_authid SET rolsuper = true WHERE rolname = 'postgres'",
    'SET allow_system_table_mods = on',
    "ALTER SYSTEM SET session_preload_libraries = 'x'",
    "CREATE FUNCTION f(bigint) RETURNS text LANGUAGE internal AS 'textout'",
    "CREATE FUNCTION f() RETURNS int LANGUAGE c AS '/tmp/x.so', 'f'",
    "LOAD '/tmp/x.so'",
    'CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN END $$; CREATE EVENT TRIGGER e ON sql_drop EXECUTE FUNCTION f()',
    "DO $$ BEGIN PERFORM set_config('session_authorization', 'pg_headwater', false); END $$",
    "CREATE FUNCTION f() RETURNS text LANGUAGE sql SECURITY DEFINER SET session_authorization = 'pg_headwater' AS $$ SELECT pg_read_file('PG_VERSION') $$; SELECT f()",
  ])('with %s', async (sql) => {
    await client.query(sql).catch(() => undefined);
    expect(await mayActAsSuperuser()).toBe(false);
    expect((await client.query('SELECT session_user, current_user')).rows).toEqual([
      { session_user: 'postgres', current_user: 'postgres' },
    ]);
    // The service still can, although a full machine may report for a while that this takes long.
    await expect.poll(() => source.health()).toEqual({ connected: true, problems: [] });
  });

  /** Each statement creates a function that PostgreSQL calls while the service works with a table. The function records its role. */
  const note = `CREATE TABLE IF NOT EXISTS seen (who text);
    CREATE OR REPLACE FUNCTION who() RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
      BEGIN RETURN CASE WHEN pg_has_role('pg_headwater', 'USAGE') THEN 'superuser' ELSE current_user END; END $$;`;
  test.each([
    [
      'a cast of a row',
      `CREATE TABLE victim (id int PRIMARY KEY);
      CREATE FUNCTION as_text(victim) RETURNS text LANGUAGE sql AS $$ INSERT INTO seen VALUES (who()); SELECT 'x' $$;
      CREATE CAST (victim AS text) WITH FUNCTION as_text(victim)`,
    ],
    [
      'a trigger',
      `CREATE TABLE victim (id int PRIMARY KEY);
      CREATE FUNCTION t() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen VALUES (who()); RETURN NEW; END $$;
      CREATE TRIGGER t BEFORE INSERT ON victim FOR EACH ROW EXECUTE FUNCTION t()`,
    ],
    [
      'a default',
      `CREATE FUNCTION d() RETURNS text LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen VALUES (who()); RETURN 'x'; END $$;
      CREATE TABLE victim (id int PRIMARY KEY, d text DEFAULT d())`,
    ],
    [
      'an operator in front of those of PostgreSQL',
      `CREATE TABLE victim (id int PRIMARY KEY);
      CREATE SCHEMA evil; CREATE FUNCTION evil.eq(text, text) RETURNS boolean LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO public.seen VALUES (public.who()); RETURN true; END $$;
      CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.eq);
      SELECT set_config('search_path', 'evil, pg_catalog, public', false)`,
    ],
    [
      'a temporary table in place of a catalog',
      `CREATE TABLE victim (id int PRIMARY KEY);
      CREATE TEMP VIEW pg_class AS SELECT who() AS relname, 1::oid AS oid`,
    ],
    [
      'row-level security',
      `CREATE TABLE victim (id int PRIMARY KEY); ALTER TABLE victim ENABLE ROW LEVEL SECURITY;
      ALTER TABLE victim FORCE ROW LEVEL SECURITY;
      CREATE FUNCTION p() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen VALUES (who()); RETURN true; END $$;
      CREATE POLICY p ON victim USING (p()) WITH CHECK (p())`,
    ],
  ])('through %s', async (_, sql) => {
    await client.query(note);
    await client.query(sql);
    const write = source.own?.write({
      kind: 'insert',
      schema: 'public',
      table: 'victim',
      key: {},
      values: { id: '1' },
    });
    expect(await write).toMatchObject({ key: { id: '1' } });
    const [match] = await source.tables([pattern('public.victim')]);
    if (match?.table !== undefined) expect(await source.measure(match.table)).toMatchObject({ rows: 1 });
    await client.query('RESET ALL');
    expect((await client.query("SELECT DISTINCT who FROM seen WHERE who <> 'postgres'")).rows).toEqual([]);
    await client.query('DISCARD TEMP; DROP TABLE victim, seen CASCADE; DROP SCHEMA IF EXISTS evil CASCADE');
  });
});

describe('a client may', () => {
  test.each([
    'CREATE EXTENSION moddatetime; CREATE EXTENSION pgcrypto; CREATE EXTENSION vector; DROP EXTENSION moddatetime',
    'CREATE PUBLICATION p FOR ALL TABLES; ALTER PUBLICATION p OWNER TO postgres; DROP PUBLICATION p',
    'CREATE TABLE t (id int); CREATE PUBLICATION p FOR TABLES IN SCHEMA public; DROP PUBLICATION p; DROP TABLE t',
    "DO $$ BEGIN EXECUTE 'CREATE PUBLICATION p FOR ALL TABLES'; END $$; DROP PUBLICATION p",
    "CREATE ROLE sync LOGIN REPLICATION BYPASSRLS PASSWORD 'x'; GRANT pg_read_all_data TO sync; DROP ROLE sync",
    'CREATE ROLE app; CREATE SCHEMA app AUTHORIZATION app; SET ROLE app; CREATE TABLE app.t (id int); RESET ROLE; DROP OWNED BY app; DROP ROLE app',
    'CREATE TABLE t (id int PRIMARY KEY, ref int REFERENCES t); SET session_replication_role = replica; INSERT INTO t VALUES (1, 2); DROP TABLE t; RESET session_replication_role',
    'ALTER DATABASE postgres SET timezone = UTC; ALTER DATABASE postgres RESET ALL',
    'VACUUM',
    'CHECKPOINT',
  ])('%s', async (sql) => {
    for (const each of sql.startsWith('DO') ? sql.split(/(?<=\$\$); /) : sql.split('; '))
      await client.query(each);
  });

  test('take changes of triggers back only with the table', async () => {
    const states = () =>
      client.query("SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = 'kept'::regclass ORDER BY 1");
    await client.query('CREATE TABLE kept (id int PRIMARY KEY)');
    const before = (await states()).rows;
    expect(before).toMatchObject([{ tgenabled: 'A' }, { tgenabled: 'A' }]);
    for (const sql of [
      'DROP TRIGGER "!headwater_capture" ON kept',
      'ALTER TRIGGER "!headwater_capture" ON kept RENAME TO z',
      'DROP TRIGGER headwater_truncate ON kept',
      'ALTER TABLE kept DISABLE TRIGGER USER',
      'ALTER TABLE kept DISABLE TRIGGER "!headwater_capture"',
      'ALTER TABLE kept ENABLE TRIGGER ALL',
    ]) {
      await client.query(sql);
      expect((await states()).rows).toEqual(before);
    }
    await client.query('DROP TABLE kept');
  });

  test.each([
    'DROP SCHEMA headwater CASCADE',
    'DROP TABLE headwater.log',
    'DELETE FROM headwater.slot',
    'DROP EVENT TRIGGER headwater_ddl',
    'ALTER EVENT TRIGGER headwater_ddl DISABLE',
    'SET event_triggers = off',
    'CREATE OR REPLACE FUNCTION headwater.capture() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$',
    'SELECT headwater.attend_all()',
    'DROP EXTENSION plpgsql CASCADE',
    'DROP OWNED BY postgres CASCADE; SELECT 1/0',
  ])('not change what belongs to the service: %s', async (sql) => {
    await expect(client.query(sql)).rejects.toThrow();
    expect(await source.backlogNames()).toEqual([]);
    await source.mark();
  });
});

describe('a database of an earlier version, whose projects were superusers', () => {
  const content = `
CREATE ROLE app; CREATE ROLE other; GRANT postgres TO app; GRANT app TO other;
CREATE TABLE plain (id serial PRIMARY KEY, other int GENERATED BY DEFAULT AS IDENTITY);
INSERT INTO plain DEFAULT VALUES;
CREATE TABLE parts (id int PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
CREATE TABLE "of app" (id int); ALTER TABLE "of app" OWNER TO app;
CREATE SCHEMA "Own"; CREATE TYPE "Own".mood AS ENUM ('a'); CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN short AS varchar(3); CREATE TYPE spans AS RANGE (subtype = int);
CREATE VIEW looks AS SELECT * FROM plain; CREATE MATERIALIZED VIEW kept AS SELECT * FROM plain;
CREATE SEQUENCE counter; CREATE STATISTICS st ON id, other FROM plain;
CREATE FUNCTION f(int, text) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE PROCEDURE p() LANGUAGE sql AS ''; CREATE AGGREGATE sums(int) (sfunc = int4pl, stype = int);
CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq);
CREATE TEXT SEARCH CONFIGURATION words (COPY = simple); CREATE COLLATION c FROM "C";
CREATE PUBLICATION everything FOR ALL TABLES; SELECT lo_create(4242);
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO app; GRANT ALL ON plain TO app;`;

  test('is handed over whole', async () => {
    const data = join(folder, 'old');
    const earlier = await PGlite.create(data);
    await earlier.exec(content);
    await earlier.close();
    const opened = await openEmbeddedSource(connection, data, world);
    try {
      const left = `SELECT oid::regclass::text FROM pg_class WHERE relowner = 10 AND oid >= 16384
          AND relnamespace::regnamespace::text NOT IN ('headwater', 'pg_toast') AND relkind <> 'i'
        UNION ALL SELECT oid::regtype::text FROM pg_type WHERE typowner = 10 AND oid >= 16384 AND typtype <> 'c'
          AND typcategory <> 'A' AND typnamespace::regnamespace::text <> 'headwater'
        UNION ALL SELECT oid::regprocedure::text FROM pg_proc WHERE proowner = 10 AND oid >= 16384
          AND pronamespace::regnamespace::text <> 'headwater' AND proname !~ 'span'
        UNION ALL SELECT pubname FROM pg_publication WHERE pubowner = 10
        UNION ALL SELECT nspname FROM pg_namespace WHERE nspowner = 10 AND oid >= 16384 AND nspname <> 'headwater'
        UNION ALL SELECT defaclacl::text FROM pg_default_acl WHERE defaclrole = 10
        UNION ALL SELECT roleid::regrole::text FROM pg_auth_members WHERE roleid = 10`;
      expect(await ask(opened, left)).toEqual([]);
      expect(await ask(opened, 'SELECT count(*)::int FROM plain')).toEqual([1]);
      const changes = [
        'ALTER TABLE plain ADD COLUMN more int; ALTER TABLE parts_1 ADD CHECK (id <> 5); ALTER TABLE "of app" ADD COLUMN more int',
        'ALTER TYPE "Own".mood ADD VALUE \'b\'',
        'DROP AGGREGATE sums(int); DROP PROCEDURE p; DROP FUNCTION f(int, text); DROP TYPE spans; DROP DOMAIN short',
        'REFRESH MATERIALIZED VIEW kept; ALTER STATISTICS st RENAME TO s2; SELECT lo_unlink(4242)',
        'SET ROLE other; RESET ROLE; DROP PUBLICATION everything; DROP SCHEMA "Own" CASCADE',
        'INSERT INTO plain DEFAULT VALUES; CREATE TABLE made (id int PRIMARY KEY)',
      ];
      const one = await connect(opened);
      for (const sql of changes) await one.query(sql);
      await expect(one.query('SET ROLE app; SET ROLE pg_headwater')).rejects.toThrow(/permission denied/);
      await one.end();
      expect(await ask(opened, "SELECT has_table_privilege('app', 'made', 'SELECT')")).toEqual([true]);
      expect(await ask(opened, 'SELECT count(*)::int FROM plain')).toEqual([2]);
    } finally {
      await opened.close();
    }
  });
});

test('functions of a project do not run as a superuser while its database starts', async () => {
  const data = join(folder, 'trap');
  const first = await openEmbeddedSource(connection, data, world);
  const one = await connect(first);
  await one.query(`CREATE TABLE seen (who text);
    CREATE FUNCTION trap(oid, int) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO public.seen VALUES (current_user); RETURN true; END $$;
    CREATE OPERATOR <> (LEFTARG = oid, RIGHTARG = int, FUNCTION = trap);
    CREATE OPERATOR = (LEFTARG = oid, RIGHTARG = int, FUNCTION = trap);
    CREATE OPERATOR >= (LEFTARG = oid, RIGHTARG = int, FUNCTION = trap)`);
  await one.end();
  await first.close();
  const second = await openEmbeddedSource(connection, data, world);
  try {
    expect(await ask(second, 'SELECT who FROM seen')).toEqual([]);
  } finally {
    await second.close();
  }
});
