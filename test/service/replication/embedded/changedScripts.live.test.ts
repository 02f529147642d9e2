/** Scripts whose text or path has changed since they were run. */
import { describe, expect, test } from 'vitest';
import type { Source } from '../../../../server/service/replication/source.ts';
import { ask, project, skippedOf, tablesOf } from './projectDatabase.ts';

const changesOf = async (source: Source) => {
  const { applied, changed, removed } = (await source.own?.scripts()) ?? {};
  return { applied, changed, removed };
};

/** Runs the scripts and closes the source. The first query makes the database. */
const runOnce = async (source: Source): Promise<void> => {
  await tablesOf(source);
  await source.close();
};

describe('A script that was run', () => {
  test('runs its skipped statements once they are corrected', async () => {
    const { open, write } = project({
      'db/1.sql': `CREATE TABLE one (id int);
        INSERT INTO one VALUES (1);
        SET search_path = app, public;
        CREATE TABLE two (id integre);
        CREATE TABLE three (id int);`,
      'db/2.sql': 'ALTER TABLE two ADD COLUMN name text;',
    });
    const first = await open('db');
    expect(await skippedOf(first)).toEqual([
      'db/1.sql:4 failed type "integre" does not exist',
      'db/2.sql:1 failed relation "two" does not exist',
    ]);
    await first.close();
    write({
      'db/1.sql': `CREATE TABLE one (id int);
        INSERT INTO one VALUES (1);
        -- What search_path says is said again for what comes after it.
        SET search_path = app, public;
        CREATE SCHEMA app;
        CREATE TABLE two (id integer);
        CREATE TABLE public.three   (id int);`.replace('public.three', 'three'),
    });
    const second = await open('db');
    expect(await skippedOf(second)).toEqual(['db/2.sql:1 failed relation "two" does not exist']);
    expect(await changesOf(second)).toEqual({ applied: 2, changed: [], removed: [] });
    expect(await ask(second, `SELECT schemaname FROM pg_tables WHERE tablename = 'two'`)).toEqual(['app']);
    expect(await ask(second, 'SELECT count(*)::int FROM one')).toEqual([1]);
    await second.close();
    expect(await changesOf(await open('db'))).toEqual({ applied: 2, changed: [], removed: [] });
  });

  test('lets skipped statements of later scripts run once it is corrected', async () => {
    const { open, write } = project({
      'db/1.sql': 'CREATE TABLE two (id integre);',
      'db/2.sql': 'ALTER TABLE two ADD COLUMN name text;',
    });
    await runOnce(await open('db'));
    write({ 'db/1.sql': 'CREATE TABLE two (id integer);' });
    const source = await open('db');
    expect(await skippedOf(source)).toEqual([]);
    expect(await ask(source, `SELECT count(name)::int FROM two`)).toEqual([0]);
  });

  test('is reported as changed if a statement that was run is different now', async () => {
    const { open, write } = project({
      'db/1.sql': 'CREATE TABLE one (id int); CREATE TABLE two (id integre);',
    });
    await runOnce(await open('db'));
    write({ 'db/1.sql': 'CREATE TABLE one (id int, name text); CREATE TABLE two (id integer);' });
    const source = await open('db');
    expect(await changesOf(source)).toEqual({ applied: 1, changed: ['db/1.sql'], removed: [] });
    expect(await tablesOf(source)).toEqual(['one']);
  });

  test('is recognized under its new path and not run again', async () => {
    const { openFrom, write } = project({
      'db/migrations/1.sql': 'CREATE TABLE one (id int); INSERT INTO one VALUES (1); SELECT nothing();',
      'db/migrations/2.sql': 'INSERT INTO one VALUES (2);',
      'app/sync.yaml': '',
    });
    const first = await openFrom('.', 'db/migrations');
    await first.close();
    const second = await openFrom('app', '../db/migrations');
    expect(await changesOf(second)).toEqual({ applied: 2, changed: [], removed: [] });
    expect(await ask(second, 'SELECT count(*)::int FROM one')).toEqual([2]);
    expect(await skippedOf(second)).toEqual([
      '../db/migrations/1.sql:1 failed function nothing() does not exist',
    ]);
    await second.close();
    write({ 'db/migrations/2.sql': undefined, 'db/migrations/3.sql': 'INSERT INTO one VALUES (2);' });
    const third = await openFrom('db', 'migrations');
    expect(await changesOf(third)).toEqual({ applied: 2, changed: [], removed: [] });
    expect(await ask(third, 'SELECT count(*)::int FROM one')).toEqual([2]);
  });
});
