/** What `headwater init` says in the app of a stranger: without a process, and without a disk. */
import { describe, expect, test } from 'vitest';
import { headwater } from '../../support/cli/cliWorld.ts';

describe('init beside tables that nobody can read here', () => {
  const advice = async (files: Readonly<Record<string, string>>, env = {}) => {
    const { code, err } = await headwater(['init'], { files, env });
    expect(code).toBe(0);
    return err.filter((line) => line.includes('example'));
  };

  test('says that its tables are an example, and what works', async () => {
    const [said, ...more] = await advice({ 'knexfile.js': '' }, { DATABASE_URL: 'postgres://db/shop' });
    expect(more).toEqual([]);
    expect(said).toContain('sync.yaml and schema.sql are an example');
    expect(said).toContain('Knex seems to make them (knexfile.js): after knex migrate:latest');
    expect(said).toContain('headwater init --postgres DATABASE_URL.');
  });

  test('says nothing of it where nothing else makes tables, and where they are read', async () => {
    expect(await advice({ 'readme.md': '' })).toEqual([]);
    expect(await advice({ 'knexfile.js': '', 'db/1.sql': 'CREATE TABLE a (id uuid PRIMARY KEY);' })).toEqual(
      [],
    );
  });
});
