/** The SQL of a project in the embedded database: what is run, what is left out, and what is remembered of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import { openEmbeddedSource } from '../../../../server/service/replication/embedded/source.ts';
import type { Source } from '../../../../server/service/replication/source.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-project-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const world = { clock: systemClock, log: silentLog, env: {}, fetch };
let projects = 0;

interface Project {
  /** Writes files of the project. */
  write(files: Readonly<Record<string, string>>): void;
  /** Opens its database with these paths as schema, and closes it at the end of the test. */
  open(...schema: readonly string[]): Promise<Source>;
}

function project(files: Readonly<Record<string, string>>): Project {
  projects += 1;
  const root = join(folder, `project-${projects}`);
  const write: Project['write'] = (written) => {
    for (const [path, text] of Object.entries(written)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  write(files);
  return {
    write,
    async open(...schema) {
      const paths = schema.map((name) => ({ path: join(root, name), name }));
      const connection = {
        type: 'embedded',
        id: 'default',
        tag: 'default',
        debugApi: false,
        schema: paths,
      } as const;
      const source = await openEmbeddedSource(connection, join(root, '.data'), world);
      onTestFinished(() => source.close());
      return source;
    },
  };
}

async function ask(source: Source, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: source.clientUri });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => value);
  } finally {
    await client.end();
  }
}

const tablesOf = (source: Source): Promise<readonly unknown[]> =>
  ask(source, `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`);
const skippedOf = (source: Source): Promise<readonly unknown[]> =>
  ask(
    source,
    `SELECT script || ':' || line || ' ' || reason || ' ' || coalesce(message, '') FROM headwater.skipped`,
  );

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
  }, 60_000);

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
        create policy "files" on storage.objects for select using (bucket_id = 'a' and auth.role() = 'anon');
        alter publication supabase_realtime add table profiles;
        select cron.schedule('nightly', '0 0 * * *', 'select 1');
        grant select on profiles to powersync_role;`,
    });
    const source = await open('supabase/migrations');
    expect(await skippedOf(source)).toEqual([]);
    expect(await tablesOf(source)).toEqual(['profiles']);
  }, 60_000);

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
  }, 60_000);

  test('may be in an order that only their tool knows', async () => {
    const { open } = project({
      'sql/a_tasks.sql': 'CREATE TABLE tasks (id int, list int REFERENCES lists (id));',
      'sql/b_lists.sql': 'CREATE TABLE lists (id int PRIMARY KEY);',
    });
    const source = await open('sql');
    expect(await tablesOf(source)).toEqual(['lists', 'tasks']);
    expect(await skippedOf(source)).toEqual([]);
  }, 60_000);

  test('may be a dump', async () => {
    const { open } = project({
      'dump.sql': `\\restrict abc\nSET search_path = '';\nSELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.t (id integer, name text);\nALTER TABLE public.t OWNER TO someone;
COPY public.t (id, name) FROM stdin;\n1\tit's\n2\t\\N\n\\.\n\\unrestrict abc\n`,
    });
    const source = await open('dump.sql');
    expect(await ask(source, 'SELECT name FROM t ORDER BY id')).toEqual(["it's", null]);
    expect(await skippedOf(source)).toEqual([]);
  }, 60_000);

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
  }, 60_000);

  test('are run once, and new ones at the next start', async () => {
    const { open, write } = project({ 'm/1.sql': 'CREATE TABLE one (id int); INSERT INTO one VALUES (1);' });
    const first = await open('m');
    expect(await tablesOf(first)).toEqual(['one']);
    await first.close();
    write({ 'm/2.sql': 'CREATE TABLE two (id int);', 'm/2.down.sql': 'DROP TABLE two;' });
    const second = await open('m');
    expect(await tablesOf(second)).toEqual(['one', 'two']);
    expect(await ask(second, 'SELECT count(*)::int FROM one')).toEqual([1]);
  }, 60_000);

  test('that never end are left out', async () => {
    const { open } = project({
      'a.sql': 'CREATE TABLE a (id int); DO $$ BEGIN LOOP END LOOP; END $$; CREATE TABLE b (id int);',
    });
    const source = await open('a.sql');
    expect(await tablesOf(source)).toEqual(['a', 'b']);
    expect(await skippedOf(source)).toEqual(['a.sql:1 timeout ']);
  }, 90_000);
});
