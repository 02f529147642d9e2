import { describe, expect, test } from 'vitest';
import { analyze, findSchemaFor, missingIn, readScripts } from '../../server/engine/index.ts';

const config = `config: { edition: 3 }
streams:
  lists: { query: "SELECT id, nmae FROM lists" }
  todos: { query: "SELECT todos.id, lists.colour FROM todos JOIN lists ON lists.id = todos.list_id" }
  all: { query: SELECT * FROM gone }
`;

function configOf(text: string) {
  const { config: read } = analyze(text, { kind: 'sync' });
  if (read === undefined) throw new Error('no config');
  return read;
}

describe('A missing table or column', () => {
  test('is listed with the streams that read it', () => {
    const known = readScripts([
      { path: '1.sql', text: 'create table lists (id text, name text);' },
      {
        path: '2.sql',
        text: 'create table todos (id text, list_id text); alter table lists add column colour text;',
      },
    ]);
    expect(missingIn(analyze(config, { ...known, kind: 'sync' }))).toEqual([
      { table: 'lists', column: 'nmae', readBy: ['lists'] },
      { table: 'gone', readBy: ['all'] },
    ]);
  });

  test('is not reported if the schema is unknown', () => {
    expect(missingIn(analyze(config, { kind: 'sync' }))).toEqual([]);
  });
});

describe('Scripts are named in a service config', () => {
  const wanted = configOf('config: { edition: 3 }\nstreams:\n  a: { query: SELECT id FROM users }\n');
  const users = 'create table users (id uuid primary key);';

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['by their folder', { 'db/1.sql': users, 'db/2.sql': 'select 1', 'db/2.down.sql': 'select 2' }, ['db']],
    [
      'one by one, if their folder also contains other files',
      { 'db/1.sql': users, 'db/other/2.sql': 'create table other (id uuid);' },
      ['db/1.sql'],
    ],
    ['one by one in the root', { '1.sql': users, '2.sql': 'select 1' }, ['1.sql', '2.sql']],
    [
      'by their file',
      { 'prisma/schema.prisma': 'model User {\n id String @id\n @@map("users")\n}\n' },
      ['prisma/schema.prisma'],
    ],
    [
      'by the folder of their folders',
      { 'prisma/migrations/1_a/migration.sql': users, 'prisma/migrations/2_b/migration.sql': 'select 1' },
      ['prisma/migrations'],
    ],
  ])('%s', (_, files, paths) => {
    const listed = Object.entries(files).map(([path, text]) => ({ path, text }));
    expect(findSchemaFor(wanted, listed, 'sync.yaml').paths).toEqual(paths);
  });
});

test('The files of a project are read only once for several configs', () => {
  let reads = 0;
  const files = Array.from({ length: 3 }, (_, index) => ({
    path: `migrations/${index}.sql`,
    get text() {
      reads += 1;
      return `CREATE TABLE t${index} (id uuid);`;
    },
  }));
  const configOf = (table: string) =>
    analyze(`config: {edition: 3}\nstreams: {a: {query: SELECT * FROM ${table}}}`, { kind: 'sync' }).config;
  const first = findSchemaFor(configOf('t1'), files, 'sync.yaml');
  const before = reads;
  expect(findSchemaFor(configOf('t2'), files, 'other/sync.yaml').scripts).toEqual(first.scripts);
  expect(findSchemaFor(configOf('nothing'), files, 'third/sync.yaml').missing).toHaveLength(1);
  expect(reads).toBe(before);
});

test('views, partitioned tables and other special tables are not replicated, even if a query reads them', () => {
  const source = readScripts([
    {
      path: 'schema.sql',
      text: `
        CREATE TABLE items (id uuid, owner text);
        CREATE VIEW v AS SELECT id, owner FROM items;
        CREATE MATERIALIZED VIEW m AS SELECT * FROM items;
        CREATE TABLE p (id uuid, owner text) PARTITION BY LIST (owner);
        CREATE TABLE p_a PARTITION OF p FOR VALUES IN ('a');
        CREATE TABLE q (id uuid, owner text) PARTITION BY LIST (owner);
        CREATE TABLE q_a (id uuid, owner text);
        ALTER TABLE ONLY q ATTACH PARTITION q_a FOR VALUES IN ('a');
        CREATE UNLOGGED TABLE u (id uuid, owner text);
        CREATE UNLOGGED TABLE l (id uuid, owner text);
        ALTER TABLE l SET LOGGED;
        CREATE FOREIGN TABLE f (id uuid, owner text) SERVER s;
        CREATE VIEW was_view AS SELECT 1 AS id;
        DROP VIEW was_view;
        CREATE TABLE was_view (id uuid, owner text);`,
    },
  ]);
  const names = ['items', 'v', 'm', 'p', 'p_a', '"p%"', 'q', 'q_a', 'u', 'l', 'f', 'was_view'];
  const reads = names.map((name) => `SELECT * FROM ${name} WHERE owner = '1'`);
  const configs = [
    `config: { edition: 3 }\nstreams:\n  a:\n    queries:${reads.map((sql) => `\n      - ${sql}`).join('')}\n`,
    `bucket_definitions:\n  a:\n    data:${reads.map((sql) => `\n      - ${sql}`).join('')}\n`,
  ];
  for (const config of configs)
    expect(
      missingIn(analyze(config, { kind: 'sync', ...source })).map(({ table, form }) => `${table}: ${form}`),
    ).toEqual([
      'v: view',
      'm: materialized view',
      'p: partitioned table',
      'q: partitioned table',
      'u: unlogged table',
      'f: foreign table',
    ]);
});

test.each([
  ['CREATE TABLE p (id uuid, day date) PARTITION BY RANGE (day);', 'partitioned table'],
  ['CREATE TABLE p (id uuid, day date) PARTITION BY HASH (id) WITH (fillfactor = 70);', 'partitioned table'],
  // The rows of MySQL stay in the table.
  ['CREATE TABLE p (id int) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10));', undefined],
  ['CREATE TABLE p (id int) PARTITION BY HASH (id) PARTITIONS 4;', undefined],
  [
    'CREATE TABLE p (id int) PARTITION BY RANGE COLUMNS (id) (PARTITION p0 VALUES LESS THAN (10));',
    undefined,
  ],
  ['CREATE TABLE p (id int) PARTITION BY KEY ();', undefined],
])('A table is partitioned even if no file creates a partition: %s', (text, form) => {
  const source = readScripts([{ path: 'schema.sql', text }]);
  expect(source?.catalog.tables.map((table) => table.form)).toEqual([form]);
});
