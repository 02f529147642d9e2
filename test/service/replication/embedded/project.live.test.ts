/** The SQL of a project in the embedded database: statements that run, statements that are left out, and the ledger of both. */
import { describe, expect, test } from 'vitest';
import { patient } from '../../../../scripts/run/patience.ts';
import { usualLimits } from '../../../../server/service/replication/embedded/limits.ts';
import { fasterClock } from '../../../support/service/fasterClock.ts';
import { ask, project, skippedOf, tablesOf } from './projectDatabase.ts';

describe('The scripts of a project', () => {
  test('are run statement by statement: one that cannot be run costs no other', async () => {
    const { open } = project({
      'db/1.sql':
        'CREATE TABLE one (id int);\n\nCREATE TABLE two (id integre);\nCREATE TABLE three (id int);',
      'db/2.sql': 'CREATE TABLE four (id int);',
    });
    const source = await open('db');
    expect(await tablesOf(source)).toEqual(['four', 'one', 'three']);
    expect(await skippedOf(source)).toEqual(['db/1.sql:3 failed type "integre" does not exist']);
  });

  test('find what Supabase has set up', async () => {
    const { open } = project({
      'supabase/migrations/1.sql': `
        create extension if not exists "uuid-ossp" with schema extensions;
        create extension if not exists pg_cron;
        create extension vector with schema extensions;
        create table public.profiles (
          id uuid primary key references auth.users (id) on delete cascade,
          other uuid default uuid_generate_v4(), at geometry(Point, 4326), embedding vector(3)
        );
        alter table profiles enable row level security;
        create policy "own" on profiles for select to authenticated using (auth.uid() = id);
        create function handle() returns trigger language plpgsql security definer as $$ begin return new; end $$;
        create trigger t after insert on auth.users for each row execute procedure handle();
        insert into storage.buckets (id, name) values ('a', 'a');
        insert into storage.buckets (id, name, avif_autodetection, owner_id, type) values ('b', 'b', false, null, 'STANDARD');
        insert into auth.users (id) values ('00000000-0000-4000-8000-000000000001');
        insert into auth.sessions (id, user_id, aal, oauth_client_id, refresh_token_hmac_key, refresh_token_counter, scopes)
          values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'aal1', null, null, null, null);
        insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method, id) values
          ('00000000-0000-4000-8000-000000000002', now(), now(), 'password', '00000000-0000-4000-8000-000000000003');
        insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address) values
          (null, '00000000-0000-4000-8000-000000000004', '{}', now(), '');
        insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to) values ('00000000-0000-4000-8000-000000000005',
          '00000000-0000-4000-8000-000000000001', 'recovery_token', 'hash', 'ada@example.com');
        create policy "files" on storage.objects for select using (bucket_id = 'a' and auth.role() = 'anon');
        alter publication supabase_realtime add table profiles;
        select cron.schedule('nightly', '0 0 * * *', 'select 1');
        grant select on profiles to powersync_role;`,
    });
    const source = await open('supabase/migrations');
    expect(await skippedOf(source)).toEqual([]);
    expect(await tablesOf(source)).toEqual(['profiles']);
    // Clients of all kinds look names up as there.
    expect(await ask(source, `SELECT uuid_generate_v4() IS NOT NULL`)).toEqual([true]);
    expect(await ask(source, `SELECT '[1,2,3]'::vector <-> '[1,2,4]'`)).toEqual([1]);
    expect(await ask(source, 'SHOW search_path')).toEqual(['"$user", public, extensions']);
  });

  test('have triggers that note the time of a change', async () => {
    const { open } = project({
      'a.sql': `CREATE SCHEMA extensions; CREATE EXTENSION moddatetime SCHEMA extensions;
        CREATE TABLE t (id int, at timestamptz DEFAULT '2020-01-01');
        CREATE TRIGGER touch BEFORE UPDATE ON t FOR EACH ROW EXECUTE PROCEDURE extensions.moddatetime(at);
        INSERT INTO t VALUES (1); UPDATE t SET id = 2;`,
    });
    const source = await open('a.sql');
    expect(await skippedOf(source)).toEqual([]);
    expect(await ask(source, `SELECT at > '2021-01-01' FROM t`)).toEqual([true]);
  });

  test('that take something away are not tried again, when it is there', async () => {
    const { open } = project({
      'a.sql': `DROP TABLE t; CREATE TABLE t (id int); INSERT INTO u VALUES (1);
        DELETE FROM v; ALTER TABLE w DROP COLUMN a; CREATE TABLE t (other int);`,
      'b.sql': `CREATE TABLE u (id int); CREATE TABLE v (id int); INSERT INTO v VALUES (1); CREATE TABLE w (a int);`,
    });
    const source = await open('a.sql', 'b.sql');
    expect(await tablesOf(source)).toEqual(['t', 'u', 'v', 'w']);
    expect(await ask(source, 'SELECT id FROM u')).toEqual([1]);
    expect(await ask(source, 'SELECT id FROM v')).toEqual([1]);
    expect(await ask(source, 'SELECT a FROM w')).toEqual([]);
    expect(await skippedOf(source)).toEqual([
      'a.sql:1 failed table "t" does not exist',
      'a.sql:2 failed relation "v" does not exist',
      'a.sql:2 failed relation "w" does not exist',
      'a.sql:2 failed relation "t" already exists',
    ]);
  });

  test('make tables at least, where a default, a check or a reference is not to be had', async () => {
    const { open } = project({
      'db/1.sql': `
        CREATE TABLE app.users (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(), born timestamptz);
        CREATE TABLE IF NOT EXISTS lists (
          id uuid DEFAULT make_an_id() NOT NULL, "Order" numeric(10, 2) NOT NULL DEFAULT next_order(),
          state text[] NOT NULL, owner uuid REFERENCES nowhere (id), CHECK (is_good("Order")),
          CONSTRAINT lists_pkey PRIMARY KEY (id)
        );
        ALTER TABLE lists ADD COLUMN done boolean;
        CREATE TABLE todos (list uuid REFERENCES lists (id));`,
    });
    const source = await open('db');
    expect(await tablesOf(source)).toEqual(['lists', 'todos']);
    expect(
      await ask(source, `INSERT INTO app.users DEFAULT VALUES RETURNING substr(id::text, 15, 1)`),
    ).toEqual(['7']);
    await ask(source, `INSERT INTO lists (state) VALUES ('{open}')`);
    const columns = await ask(
      source,
      `SELECT column_name FROM information_schema.columns WHERE table_name = 'lists' ORDER BY ordinal_position`,
    );
    expect(columns).toEqual(['id', 'Order', 'state', 'owner', 'done']);
    expect(await skippedOf(source)).toEqual(['db/1.sql:3 plain function make_an_id() does not exist']);
  });

  test('leave nothing behind of who they become and what they set', async () => {
    const { open } = project({
      'a.sql': `CREATE ROLE nobody NOLOGIN; CREATE TABLE a (id int); SET search_path = nowhere;
        SET TRANSACTION READ ONLY; SET SESSION AUTHORIZATION nobody;`,
      'b.sql': 'CREATE TABLE b (id int);',
    });
    const source = await open('a.sql', 'b.sql');
    expect(await skippedOf(source)).toEqual([]);
    expect(await tablesOf(source)).toEqual(['a', 'b']);
  });

  test('make many rows at once, and one that fails costs no other', async () => {
    const rows = Array.from({ length: 450 }, (_, id) => `INSERT INTO t VALUES (${id === 300 ? 7 : id});`);
    const { open } = project({ 'a.sql': `CREATE TABLE t (id int PRIMARY KEY);\n${rows.join('\n')}` });
    const source = await open('a.sql');
    expect(await ask(source, 'SELECT count(*)::int FROM t')).toEqual([449]);
    expect(await skippedOf(source)).toEqual([
      'a.sql:302 failed duplicate key value violates unique constraint "t_pkey"',
    ]);
  });

  test('run the files that they include, each once in a circle', async () => {
    const { open } = project({
      'db/all.sql': '\\ir parts/a.sql\n\\i db/parts/b.sql\n\\i ../../etc/passwd\n',
      'db/parts/a.sql': 'CREATE TABLE a (id int);\n',
      'db/parts/b.sql': 'CREATE TABLE b (id int);\r\n\\ir b.sql\n',
    });
    const source = await open('db');
    expect(await tablesOf(source)).toEqual(['a', 'b']);
    expect(await skippedOf(source)).toEqual([
      'db/all.sql:3 files ../../etc/passwd is not a file of the project.',
      'db/parts/b.sql:2 files db/parts/b.sql includes itself.',
    ]);
  });

  test('keep their transactions, and what only works outside of one works in them', async () => {
    const { open } = project({
      'schema.sql': `BEGIN; CREATE TABLE a (id int); COMMIT;
        BEGIN; CREATE TABLE b (id int); ROLLBACK;
        CREATE UNIQUE INDEX CONCURRENTLY i ON a (id); VACUUM a;
        CREATE TYPE state AS ENUM ('one'); ALTER TYPE state ADD VALUE 'two';
        CREATE TABLE c (s state DEFAULT 'two');`,
    });
    const source = await open('schema.sql');
    expect(await tablesOf(source)).toEqual(['a', 'c']);
    expect(await skippedOf(source)).toEqual([]);
  });

  test('keep their savepoints', async () => {
    const { open } = project({
      'db/1.sql': `
        BEGIN;
        CREATE TABLE one (id int);
        SAVEPOINT a;
        CREATE TABLE two (id int);
        SAVEPOINT "B c";
        CREATE TABLE three (id int);
        ROLLBACK TO SAVEPOINT "B c";
        CREATE TABLE four (id int);
        RELEASE a;
        SAVEPOINT d;
        CREATE TABLE five (id int);
        ROLLBACK WORK TO d;
        ROLLBACK TO nowhere;
        COMMIT;
        ROLLBACK TO d;
        CREATE TABLE six (id int);`,
    });
    const source = await open('db');
    expect(await tablesOf(source)).toEqual(['four', 'one', 'six', 'two']);
    expect(await skippedOf(source)).toEqual([
      'db/1.sql:14 failed There is no savepoint nowhere.',
      'db/1.sql:16 failed There is no savepoint d.',
    ]);
  });

  test('may be in an order that only their tool knows', async () => {
    const { open } = project({
      'sql/a_tasks.sql': 'CREATE TABLE tasks (id int, list int REFERENCES lists (id));',
      'sql/b_lists.sql': 'CREATE TABLE lists (id int PRIMARY KEY);',
    });
    const source = await open('sql');
    expect(await tablesOf(source)).toEqual(['lists', 'tasks']);
    expect(await skippedOf(source)).toEqual([]);
  });

  test('may be a dump', async () => {
    const { open } = project({
      'dump.sql': `\\restrict abc\nSET search_path = '';\nSELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.t (id integer, name text);\nALTER TABLE public.t OWNER TO someone;
COPY public.t (id, name) FROM stdin;\n1\tit's\n2\t\\N\n\\.\n\\unrestrict abc\n`,
    });
    const source = await open('dump.sql');
    expect(await ask(source, 'SELECT name FROM t ORDER BY id')).toEqual(["it's", null]);
    expect(await skippedOf(source)).toEqual([]);
  });

  test('may be written for a superuser', async () => {
    const { open } = project({
      'a.sql': `COMMENT ON EXTENSION plpgsql IS 'x'; CREATE EXTENSION moddatetime; CREATE EXTENSION postgis;
        CREATE SCHEMA tools; CREATE EXTENSION pg_trgm; ALTER EXTENSION pg_trgm SET SCHEMA tools;
        CREATE PUBLICATION all_tables FOR ALL TABLES; ALTER PUBLICATION all_tables OWNER TO postgres;
        CREATE ROLE app SUPERUSER LOGIN; GRANT pg_read_all_data TO app; ALTER SCHEMA public OWNER TO postgres;
        CREATE TABLE t (id int PRIMARY KEY, place geometry(Point, 4326), other int REFERENCES t);
        SET session_replication_role = replica; INSERT INTO t VALUES (1, 'here', 2); RESET session_replication_role;
        ALTER TABLE t DISABLE TRIGGER ALL; ALTER TABLE t ENABLE TRIGGER ALL; ALTER TABLE t OWNER TO app;
        ALTER DEFAULT PRIVILEGES FOR ROLE postgres GRANT SELECT ON TABLES TO app;
        SET ROLE app; CREATE TABLE of_app (id int PRIMARY KEY); RESET ROLE;
        CREATE FUNCTION e() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
        CREATE EVENT TRIGGER e ON sql_drop EXECUTE FUNCTION e();`,
    });
    const source = await open('a.sql');
    expect(await tablesOf(source)).toEqual(['of_app', 't']);
    expect(await ask(source, 'SELECT id FROM t')).toEqual([1]);
    expect(await ask(source, "SELECT tools.similarity('a', 'a')")).toEqual([1]);
    expect(await skippedOf(source)).toEqual([
      'a.sql:11 failed permission denied to create event trigger "e"',
    ]);
  });

  test('cannot touch the machine, or databases', async () => {
    const { open } = project({
      'a.sql': `COPY (SELECT 1) TO PROGRAM 'touch /tmp/x'; COPY (SELECT 1) TO '/tmp/x'; DROP DATABASE postgres;
        ALTER SYSTEM SET work_mem = '1MB';\n\\! rm -rf /tmp/x\n\\copy t from 'x'\nCREATE TABLE t (id int);`,
    });
    const source = await open('a.sql');
    expect(await tablesOf(source)).toEqual(['t']);
    expect(await skippedOf(source)).toEqual([
      'a.sql:1 files ',
      'a.sql:1 files ',
      'a.sql:1 server ',
      'a.sql:2 server ',
      'a.sql:4 psql ',
    ]);
  });

  test('are run once, and new ones at the next start', async () => {
    const { open, write } = project({ 'm/1.sql': 'CREATE TABLE one (id int); INSERT INTO one VALUES (1);' });
    const first = await open('m');
    expect(await tablesOf(first)).toEqual(['one']);
    await first.close();
    write({ 'm/2.sql': 'CREATE TABLE two (id int);', 'm/2.down.sql': 'DROP TABLE two;' });
    const second = await open('m');
    expect(await tablesOf(second)).toEqual(['one', 'two']);
    expect(await ask(second, 'SELECT count(*)::int FROM one')).toEqual([1]);
  });

  test('that never end are left out', async () => {
    const files = {
      'a.sql': 'CREATE TABLE a (id int); DO $$ BEGIN LOOP END LOOP; END $$; CREATE TABLE b (id int);',
    };
    // The statement blocks a processor until the limit.
    const { open } = project(files, fasterClock(usualLimits.script / patient(500)));
    const source = await open('a.sql');
    expect(await tablesOf(source)).toEqual(['a', 'b']);
    expect(await skippedOf(source)).toEqual(['a.sql:1 timeout ']);
  });
});
