/** Runs the built `headwater test` with rows that only a database can produce. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../support/house/imports.ts';

let around: string;
beforeAll(() => {
  around = mkdtempSync(join(tmpdir(), 'headwater-from-'));
});
afterAll(() => rmSync(around, { recursive: true, force: true }));

function headwaterTest(cwd: string) {
  const env = { PATH: process.env.PATH };
  return spawnSync(process.execPath, [join(root, 'dist/cli.js'), 'test'], { cwd, env, encoding: 'utf8' });
}

const config = `config: { edition: 3 }
streams:
  rooms:
    auto_subscribe: true
    query: SELECT * FROM rooms WHERE org = auth.parameter('org')
`;
const tests = `config: sync.yaml
users:
  ada: { id: u1, claims: { org: acme } }
rows: { from: seed.sql }
tests:
  - { name: rooms of the org, expect: { ada: { rooms: [r1, r2, r3] } } }
`;
const tables = `create table rooms (id text primary key, org text not null default 'acme', made timestamptz default now());`;
const seed = `insert into rooms (id) select 'r' || n from generate_series(1, 3) as n;
insert into rooms (id, org) values ('x1', lower('EVIL'));
`;

function write(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(around, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const project = { 'sync.yaml': config, 'a.sync-test.yaml': tests, 'db/schema.sql': tables, 'seed.sql': seed };

test('The SQL files of `from` are run in a database that has the tables of the project', () => {
  const { status, stdout, stderr } = headwaterTest(write('seeded', project));
  expect(stderr).toBe('');
  expect(stdout).toContain('1 test passed, 0 failed in 1 file');
  expect(status).toBe(0);
});

test('A refused statement is reported with its line, and no test passes without its rows', () => {
  const folder = write('refused', { ...project, 'seed.sql': `${seed}insert into nowhere values (1);` });
  const { status, stdout } = headwaterTest(folder);
  expect(stdout).toContain('line 3 failed: relation "nowhere" does not exist.');
  expect(stdout).toContain('0 tests passed, 1 failed in 1 file');
  expect(status).toBe(1);
});

test('The SQL file of `schema` creates the tables, and may also contain the rows', () => {
  const folder = write('dump', {
    'sync.yaml': config,
    'dump.sql': `${tables}\n${seed}`,
    'a.sync-test.yaml': tests.replace(
      'rows: { from: seed.sql }',
      'schema: dump.sql\nrows: { from: dump.sql }',
    ),
  });
  const { status, stdout } = headwaterTest(folder);
  expect(stdout).toContain('1 test passed, 0 failed in 1 file');
  expect(status).toBe(0);
});
