import { describe, expect, test } from 'vitest';
import type { TablePattern } from '../../../server/engine/plan/plan.ts';
import { findProjectSchema } from '../../../server/engine/project/findProjectSchema.ts';

function wanted(...names: readonly string[]): readonly TablePattern[] {
  return names.map((name) => ({
    tag: 'default',
    schema: { text: 'public', wildcard: false },
    name: { text: name.replace(/%$/, ''), wildcard: name.endsWith('%') },
  }));
}

const users = 'create table users (id uuid primary key);';
const lists = 'create table lists (id uuid primary key);';

interface FoundItem {
  readonly scripts: readonly string[];
  readonly missing: readonly string[];
}

function find(
  files: Readonly<Record<string, string>>,
  tables: readonly TablePattern[],
  config = 'powersync/sync-config.yaml',
): FoundItem {
  const listed = Object.entries(files).map(([path, text]) => ({ path, text }));
  const { scripts, missing } = findProjectSchema(listed, tables, config);
  return { scripts: scripts.map(({ path }) => path), missing: missing.map(({ name }) => name.text) };
}

describe('The SQL of a project is found', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    [
      'in a folder of seeds, if a file creates tables without inserting rows',
      {
        'postgres/seed/Create tables.sql': users + lists,
        'postgres/seed/rows.sql': 'create table tmp (id int); insert into users values (1)',
      },
      ['postgres/seed/Create tables.sql'],
    ],
    [
      'in Supabase migrations',
      { 'supabase/migrations/20240102_b.sql': lists, 'supabase/migrations/20240101_a.sql': users },
      ['supabase/migrations/20240101_a.sql', 'supabase/migrations/20240102_b.sql'],
    ],
    [
      'in Prisma and Hasura migrations, which have a folder each',
      { 'prisma/migrations/2_b/migration.sql': lists, 'prisma/migrations/1_a/migration.sql': users },
      ['prisma/migrations/1_a/migration.sql', 'prisma/migrations/2_b/migration.sql'],
    ],
    [
      'in golang-migrate migrations, without the down files',
      { 'db/1_a.up.sql': users, 'db/1_a.down.sql': 'drop table users;', 'db/2_b.up.sql': lists },
      ['db/1_a.up.sql', 'db/2_b.up.sql'],
    ],
    [
      'in Flyway migrations, with repeatable scripts at the end',
      {
        'sql/R__views.sql': 'select 1',
        'sql/V2__b.sql': lists,
        'sql/V10__c.sql': 'select 1',
        'sql/V1__a.sql': users,
      },
      ['sql/V1__a.sql', 'sql/V2__b.sql', 'sql/V10__c.sql', 'sql/R__views.sql'],
    ],
    [
      'in a single file',
      { 'database/schema.sql': users + lists, 'database/seed.sql': 'insert into users values (1)' },
      ['database/schema.sql'],
    ],
    [
      'in a package of a monorepo, even if another package is larger',
      {
        'apps/a/migrations/1.sql': `${users}${lists}`,
        'apps/b/migrations/1.sql': 'create table a (id int); create table b (id int)',
      },
      ['apps/a/migrations/1.sql'],
    ],
    [
      'on the server, not in the SQLite migrations of the device',
      {
        'app/drizzle/0000.sql': 'CREATE TABLE `users` (`id` integer); CREATE TABLE `lists` (`id` integer);',
        'server/migrations/1.sql': users + lists,
      },
      ['server/migrations/1.sql'],
    ],
    [
      'on the server, even if the SQLite migrations of the device look similar',
      {
        'app/db/1_a.sql': 'create table users (id text); create table lists (id text);',
        'app/db/2_b.sql': 'PRAGMA foreign_keys = off;',
        'app/db/3_c.sql': 'alter table users add column name text;',
        'server/schema.sql': users + lists,
      },
      ['server/schema.sql'],
    ],
    [
      'even if a comment contains a MySQL keyword',
      { 'db/1_a.sql': `-- no AUTO_INCREMENT here\n${users}`, 'db/2_b.sql': lists },
      ['db/1_a.sql', 'db/2_b.sql'],
    ],
    [
      'for one of several databases',
      {
        'db/1_a.sql': users,
        'db/2_b.sql': lists,
        'db/2_b.sqlite.sql': 'create table lists (id integer primary key AUTOINCREMENT)',
      },
      ['db/1_a.sql', 'db/2_b.sql'],
    ],
    [
      'in two places, beginning with the one whose tables the other one alters',
      { 'a/schema.sql': `${lists} alter table users add column name text;`, 'b/init.sql': users },
      ['b/init.sql', 'a/schema.sql'],
    ],
    [
      'in a Prisma schema',
      {
        'prisma/schema.prisma':
          'datasource db {\n provider = "postgresql"\n}\nmodel User {\n id String @id\n @@map("users")\n}\nmodel List {\n id String @id\n @@map("lists")\n}',
      },
      ['prisma/schema.prisma'],
    ],
    [
      'but not in tests, snippets, queries, or scripts that drop everything',
      {
        'supabase/tests/a.sql': users + lists,
        'db/queries/a.sql': users + lists,
        'scripts/drop_all.sql': users + lists,
        'supabase/migrations/1.sql': users + lists,
      },
      ['supabase/migrations/1.sql'],
    ],
  ])('%s', (_, files, expected) => {
    expect(find(files, wanted('users', 'lists'))).toEqual({ scripts: expected, missing: [] });
  });

  test('nearest to the config, if several places create the same tables', () => {
    const files = { 'apps/a/db/1.sql': users, 'apps/b/db/1.sql': users };
    expect(find(files, wanted('users'), 'apps/b/powersync/sync.yaml').scripts).toEqual(['apps/b/db/1.sql']);
  });

  test('and tables that no file creates are reported as missing', () => {
    const files = { 'db/1.sql': `${users} alter table lists add column a text;` };
    expect(find(files, wanted('users', 'lists')).missing).toEqual(['lists']);
    expect(find({}, wanted('users'))).toEqual({ scripts: [], missing: ['users'] });
  });

  test('and a table that one history creates and another one drops is reported as missing', () => {
    const files = { 'a/1.sql': users, 'b/1.sql': `${lists} drop table if exists users;` };
    expect(find(files, wanted('users', 'lists')).missing).toEqual(['users']);
  });

  test('for a pattern of names', () => {
    expect(find({ 'a/1.sql': lists, 'b/1.sql': users }, wanted('list%')).scripts).toEqual(['a/1.sql']);
  });

  test('even if the only table is misspelt', () => {
    expect(find({ 'db/1.sql': users + lists }, wanted('lsits'))).toEqual({
      scripts: ['db/1.sql'],
      missing: ['lsits'],
    });
  });

  test('without undo scripts, however they are named', () => {
    const files = {
      'db/1_a-up.sql': users,
      'db/1_a-down.sql': 'drop table users;',
      'db/2_b.sql': lists,
      'db/2_b_rollback.sql': 'drop table lists;',
      'db/2_b.undo.sql': 'drop table lists;',
    };
    expect(find(files, wanted('users', 'lists'))).toEqual({
      scripts: ['db/1_a-up.sql', 'db/2_b.sql'],
      missing: [],
    });
  });

  test('in the place with the most tables if there is no config', () => {
    expect(find({ 'a/1.sql': users, 'b/1.sql': users + lists }, []).scripts).toEqual(['b/1.sql']);
  });
});

describe('Unusual projects', () => {
  test('with three databases: only the database of the config is used', () => {
    const files = {
      'services/users/migrations/1.sql': users,
      'services/billing/migrations/1.sql': 'create table invoices (id int); create table users (id int);',
      'warehouse/schema.sql':
        'create table facts (id int); create table days (id int); create table c (id int);',
    };
    expect(find(files, wanted('users'), 'services/users/powersync/sync.yaml').scripts).toEqual([
      'services/users/migrations/1.sql',
    ]);
    expect(find(files, wanted('invoices', 'users'), 'sync.yaml').scripts).toEqual([
      'services/billing/migrations/1.sql',
    ]);
  });

  test('with ten thousand files', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => [
      `db/migrations/${index}_a.sql`,
      `-- ${index}`,
    ]);
    const files = { ...Object.fromEntries(many), 'db/migrations/10000_b.sql': users };
    const { scripts, missing } = find(files, wanted('users'));
    expect([scripts.length, scripts.at(-1), missing]).toEqual([10_001, 'db/migrations/10000_b.sql', []]);
  });

  test('with a migration of fifty megabytes, most of it rows', () => {
    const row = `insert into users values ('${'a'.repeat(1_000)}');\n`;
    const files = { 'db/1.sql': users + row.repeat(50_000), 'db/2.sql': lists };
    expect(find(files, wanted('users', 'lists')).missing).toEqual([]);
  });

  test('with Windows line ends', () => {
    const files = {
      'db/1.sql': '-- migrate:up\r\ncreate table users (id int);\r\n-- migrate:down\r\ndrop table users;\r\n',
      'db/2.sql': '-- +goose Up\r\ncreate table lists (id int);\r\n-- +goose Down\r\ndrop table lists;\r\n',
    };
    expect(find(files, wanted('users', 'lists')).missing).toEqual([]);
  });
});
