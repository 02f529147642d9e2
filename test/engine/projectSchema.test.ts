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

describe('What is missing', () => {
  test('is named with the streams that read it', () => {
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

  test('is nothing where nothing is known', () => {
    expect(missingIn(analyze(config, { kind: 'sync' }))).toEqual([]);
  });
});

describe('Scripts are named in a service config', () => {
  const wanted = configOf('config: { edition: 3 }\nstreams:\n  a: { query: SELECT id FROM users }\n');
  const users = 'create table users (id uuid primary key);';

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['by their folder', { 'db/1.sql': users, 'db/2.sql': 'select 1', 'db/2.down.sql': 'select 2' }, ['db']],
    [
      'one by one, if other files are there, too',
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

test('The files of a project are read once, however many configs ask for them', () => {
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
