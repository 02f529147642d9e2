/** The scripts of a project: their files, their order and their texts. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  readProjectScripts,
  readSeeds,
} from '../../../../server/service/replication/embedded/scripts/projectScripts.ts';

/** Makes a project, and returns the schema paths of its config. */
function project(files: Readonly<Record<string, string | Buffer>>, ...schema: readonly string[]) {
  const above = mkdtempSync(join(tmpdir(), 'headwater-scripts-'));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, 'app');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return schema.map((name) => ({ path: join(folder, name), name, folder }));
}

const namesOf = async (schema: ReturnType<typeof project>): Promise<readonly string[]> =>
  (await readProjectScripts(schema)).scripts.map(({ name }) => name);

const table = 'CREATE TABLE t (id int);';

test('seeds, tests and down migrations in a schema folder are not run, even if the path contains `test`', async () => {
  const files = {
    'test/db/2_b.sql': table,
    'test/db/10_c.sql': table,
    'test/db/1_a.sql': table,
    'test/db/1_a.down.sql': 'DROP TABLE t;',
    'test/db/seed.sql': 'INSERT INTO t VALUES (1);',
    'test/db/tests/a.sql': 'SELECT 1;',
    'test/db/notes.md': '',
  };
  expect(await namesOf(project(files, 'test/db'))).toEqual([
    'test/db/1_a.sql',
    'test/db/2_b.sql',
    'test/db/10_c.sql',
  ]);
});

test('a file that the config names is run even if it looks like a seed or a test', async () => {
  const files = { 'seed.sql': table, 'tests/a.sql': table };
  expect(await namesOf(project(files, 'tests/a.sql', 'seed.sql'))).toEqual(['tests/a.sql', 'seed.sql']);
});

test('seeds next to the schema folder are read', async () => {
  const files = {
    'supabase/migrations/1.sql': table,
    'supabase/seed.sql': 'INSERT INTO t VALUES (1);',
    'supabase/seeds/2.sql': 'INSERT INTO t VALUES (2);',
    'supabase/other.sql': table,
    'db/seed.sql': 'INSERT INTO t VALUES (3);',
  };
  const seeds = await readSeeds(project(files, 'supabase/migrations'));
  expect(seeds.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'supabase/seed.sql seed',
    'supabase/seeds/2.sql seed',
  ]);
});

test('seeds in folders of the schema are read, and their names contain / on every system', async () => {
  const files = { 'db/1.sql': table, 'db/seeds/en/2.sql': 'INSERT INTO t VALUES (1);' };
  const seeds = await readSeeds(project(files, 'db'));
  expect(seeds.map(({ name }) => name)).toEqual(['db/seeds/en/2.sql']);
});

test('byte order marks are removed, and UTF-16 is accepted', async () => {
  const files = {
    'db/1.sql': `\ufeff${table}\r\n`,
    'db/2.sql': Buffer.from(`\ufeff${table}`, 'utf16le'),
  };
  const { scripts } = await readProjectScripts(project(files, 'db'));
  expect(scripts.map(({ text }) => text)).toEqual([`${table}\r\n`, table]);
});

test('a schema of Prisma or Rails is read as SQL', async () => {
  const files = {
    'prisma/schema.prisma': 'datasource db {\n  provider = "postgresql"\n}\nmodel A {\n  id Int @id\n}\n',
    'db/schema.rb':
      'ActiveRecord::Schema.define do\n  create_table "bs" do |t|\n    t.string "name"\n  end\nend\n',
  };
  const { scripts } = await readProjectScripts(project(files, 'prisma/schema.prisma', 'db/schema.rb'));
  expect(scripts.map(({ text }) => /CREATE TABLE "\w+"/.exec(text)?.[0])).toEqual([
    'CREATE TABLE "A"',
    'CREATE TABLE "bs"',
  ]);
});

test('a schema of Prisma may be a folder of several files', async () => {
  const files = {
    'schema/main.prisma': 'datasource db {\n  provider = "postgresql"\n}\n',
    'schema/models/a.prisma': 'model A {\n  id Int @id\n  state State\n}\n',
    'schema/state.prisma': 'enum State {\n  On\n}\n',
  };
  const { scripts } = await readProjectScripts(project(files, 'schema'));
  expect(scripts.map(({ name }) => name)).toEqual(['schema/main.prisma']);
  expect(scripts[0]?.text).toContain('CREATE TABLE "A"');
  expect(scripts[0]?.text).toContain('CREATE TYPE "State"');
});

test('a schema of Prisma may be several named files', async () => {
  const files = {
    'schema/main.prisma': 'datasource db {\n  provider = "postgresql"\n}\n',
    'schema/a.prisma': 'model A {\n  id Int @id\n}\n',
    'schema/migrations/1/migration.sql': table,
  };
  const { scripts, problems } = await readProjectScripts(
    project(files, 'schema/main.prisma', 'schema/a.prisma'),
  );
  expect(scripts.map(({ name }) => name)).toEqual(['schema/main.prisma']);
  expect(scripts[0]?.text).toContain('CREATE TABLE "A"');
  expect(problems).toEqual([]);
});

test('unreadable paths are reported, and all others are read', async () => {
  const files = {
    'db/1.sql': table,
    'empty/readme.md': '',
    'm.prisma': 'datasource db {\n  provider = "mysql"\n}\nmodel A {\n  id Int @id\n}\n',
  };
  const { scripts, problems } = await readProjectScripts(
    project(files, 'db', 'nowhere', 'empty', 'm.prisma'),
  );
  expect(scripts.map(({ name }) => name)).toEqual(['db/1.sql']);
  expect(problems).toEqual([
    'nowhere does not exist.',
    'empty contains no .sql file that creates tables.',
    'm.prisma describes no tables of PostgreSQL.',
  ]);
});

test('a file in another encoding is not run, and its line is named', async () => {
  const latin1 = Buffer.from(`${table}\nINSERT INTO t VALUES ('caf\xe9');\n`, 'latin1');
  const files = { 'db/migrations/1.sql': latin1, 'db/seed.sql': latin1 };
  const schema = project(files, 'db/migrations');
  expect((await readProjectScripts(schema)).problems).toEqual([
    'db/migrations/1.sql cannot be read: line 2 is not in UTF-8. Save the file in UTF-8.',
  ]);
  await expect(readSeeds(schema)).rejects.toThrow(
    'The schema cannot be loaded: db/seed.sql cannot be read: line 2 is not in UTF-8. Save the file in UTF-8.',
  );
});

test('an included file runs as part of the file that includes it, and changes the hash of that file', async () => {
  const files = {
    'db/all.sql': '\\ir parts/a.sql\n\\i db/parts/b.sql\n',
    'db/parts/a.sql': '\\ir b.sql\n',
    'db/parts/b.sql': table,
  };
  const schema = project(files, 'db');
  const before = await readProjectScripts(schema);
  expect(before.scripts.map(({ name }) => name)).toEqual(['db/all.sql']);
  expect(before.includes.map(({ name }) => name).toSorted()).toEqual(['db/parts/a.sql', 'db/parts/b.sql']);
  writeFileSync(join(schema[0]?.folder ?? '', 'db/parts/b.sql'), 'CREATE TABLE u (id int);');
  const after = await readProjectScripts(schema);
  expect(after.scripts[0]?.hash).not.toBe(before.scripts[0]?.hash);
});

test('files that include each other are all read', async () => {
  const files = { 'db/a.sql': '\\ir b.sql\n', 'db/b.sql': '\\ir a.sql\n' };
  expect(await namesOf(project(files, 'db'))).toEqual(['db/a.sql', 'db/b.sql']);
});

test('no path or link includes a file from outside the project', async () => {
  const files = {
    'db/a.sql':
      '\\i ../../secret.sql\n\\ir ../../secret.sql\n\\i link.sql\n\\i /etc/hostname\n\\i ..\\\\..\\\\secret.sql\n',
  };
  const [path] = project(files, 'db');
  const folder = path?.folder ?? '';
  writeFileSync(join(dirname(folder), 'secret.sql'), table);
  symlinkSync(join(dirname(folder), 'secret.sql'), join(folder, 'link.sql'));
  const { includes } = await readProjectScripts(path ? [path] : []);
  expect(includes).toEqual([]);
});

test('files in hidden, build and package folders are not run, because the editor does not read them', async () => {
  const files = {
    'db/1.sql': table,
    'db/dist/1.sql': table,
    'db/.backup/1.sql': table,
    'db/node_modules/tool/1.sql': table,
  };
  expect(await namesOf(project(files, 'db'))).toEqual(['db/1.sql']);
});

test('a broken link is reported as a missing file', async () => {
  const schema = project({ 'db/1.sql': table }, 'db');
  const folder = schema[0]?.path ?? '';
  symlinkSync(join(folder, 'gone.sql'), join(folder, '2.sql'));
  expect((await readProjectScripts(schema)).problems).toEqual(['db/2.sql does not exist.']);
});
