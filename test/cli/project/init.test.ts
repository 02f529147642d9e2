/** The output of `headwater init` in an existing app, without a process and without a disk. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { headwater } from '../../support/cli/cliWorld.ts';
import { root } from '../../support/house/imports.ts';

describe('init in an app whose tables it cannot read', () => {
  const advice = async (files: Readonly<Record<string, string>>, env = {}) => {
    const { code, err } = await headwater(['init'], { files, env });
    expect(code).toBe(0);
    return err.filter((line) => line.includes('example'));
  };

  test('reports that its tables contain an example, and names the commands that help', async () => {
    const [said, ...more] = await advice({ 'knexfile.js': '' }, { DATABASE_URL: 'postgres://db/shop' });
    expect(more).toEqual([]);
    expect(said).toContain('sync.yaml and schema.sql contain an example');
    expect(said).toContain('Knex seems to create them (knexfile.js): after knex migrate:latest');
    expect(said).toContain('headwater init --postgres DATABASE_URL.');
  });

  test('does not report an example if no other tool makes tables, or if it can read them', async () => {
    expect(await advice({ 'readme.md': '' })).toEqual([]);
    expect(await advice({ 'knexfile.js': '', 'db/1.sql': 'CREATE TABLE a (id uuid PRIMARY KEY);' })).toEqual(
      [],
    );
  });
});

describe('init writes access tests', () => {
  const tables = `CREATE TABLE notes (id uuid PRIMARY KEY, owner_id text, body text NOT NULL);
CREATE TABLE "order items" (id uuid PRIMARY KEY, "userId" uuid NOT NULL);
CREATE TABLE "on" (id text PRIMARY KEY, owner text);
CREATE TABLE tags (id uuid PRIMARY KEY, name text);`;

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['for its example', {}, ''],
    ['for existing tables', { 'db/1.sql': tables }, ''],
    ['in the folder of configs', { 'db/1.sql': tables, 'powersync/readme.md': '' }, 'powersync/'],
  ])('%s, which pass, and which fail if every user gets all rows', async (_, given, place) => {
    const { files, out } = await headwater(['init'], { files: given });
    const path = `${place}access.sync-test.yaml`;
    const config = `${place}${place === '' ? 'sync.yaml' : 'sync-config.yaml'}`;
    expect(out).toContain(`Created ${path}.`);
    const passed = await headwater(['test'], { files });
    expect([passed.code, passed.out.filter((line) => /warning|error|failed {2}/.test(line))]).toEqual([
      0,
      [],
    ]);
    expect((await headwater(['validate', '--strict', config], { files })).code).toBe(0);
    const text = String(files[config]);
    const open = text.replace(/(?<=FROM \S+) WHERE \S+ = auth.user_id\(\)$/m, '');
    expect(open).not.toBe(text);
    expect((await headwater(['test'], { files: { ...files, [config]: open } })).code).toBe(1);
    const again = await headwater(['init', '--json'], { files });
    expect(JSON.parse(again.out.join('\n'))).toMatchObject({ created: [] });
  });

  test('only if users get rows, and no access tests exist yet', async () => {
    const without = await headwater(['init'], { files: { 'db/1.sql': 'CREATE TABLE tags (id uuid);' } });
    expect(Object.keys(without.files)).not.toContain('access.sync-test.yaml');
    const theirs = { 'access.sync-test.yaml': '# ours\n' };
    expect((await headwater(['init'], { files: theirs })).files).toMatchObject(theirs);
  });

  test('that are the same as in the tutorial', async () => {
    const page = readFileSync(join(root, 'docs/TUTORIAL.md'), 'utf8');
    const [, shown] = /^```yaml my-app\/access.sync-test.yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];
    expect((await headwater(['init'])).files['access.sync-test.yaml']).toBe(shown);
  });
});
