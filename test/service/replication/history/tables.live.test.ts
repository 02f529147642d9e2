/** Events of tables that the source's log does not contain. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { openStage, type SourceKind, type Stage, type StorageKind, todos } from './support.ts';

const isMissing = postgresPrograms.kind === 'missing';

let server: TestPostgres;
beforeAll(async () => {
  if (!isMissing) server = await startPostgres();
});
afterAll(() => server?.stop());

let stage: Stage;
afterEach(() => stage.close());

const poll = <T>(ask: () => T) => expect.poll(ask);

async function begin(source: SourceKind, storage: StorageKind, schema = todos): Promise<void> {
  stage = await openStage({ source, storage, schema, server });
  await stage.start();
  await poll(stage.shown).toEqual([...new Set(await stage.rows())]);
}

const storages = ['embedded', 'postgresql'] as const;
const both = storages.map((storage) => ['postgresql', storage] as const);
const all = [...both, ['embedded', 'embedded'] as const];

describe.skipIf(isMissing)('a table', () => {
  test.each(both)('of %s in %s is copied again if it returns to the publication', async (...kinds) => {
    await begin(...kinds);
    await stage.sql('ALTER PUBLICATION powersync DROP TABLE todos');
    await stage.sql(`UPDATE todos SET title = 'unheard' WHERE id = 1; DELETE FROM todos WHERE id = 2`);
    await stage.sql('ALTER PUBLICATION powersync ADD TABLE todos');
    await stage.sql(`INSERT INTO todos VALUES (3, 'three', 'n3')`);
    await poll(stage.shown).toEqual(['1 unheard n1', '3 three n3']);
    expect(stage.log().join('\n')).toContain('its changes were not published for some time');
  });

  test('that returned to the publication while the service was stopped is copied again before its next change', async () => {
    await begin('postgresql', 'embedded');
    await stage.stop();
    await stage.sql('ALTER PUBLICATION powersync DROP TABLE todos');
    await stage.sql(`UPDATE todos SET title = 'unheard' WHERE id = 1`);
    await stage.sql('ALTER PUBLICATION powersync ADD TABLE todos');
    await stage.start();
    await poll(stage.shown).toEqual(['1 unheard n1', '2 two n2']);
  });

  test('that returned to the publication is copied again even if it does not change', async () => {
    await begin('postgresql', 'embedded');
    await stage.sql('ALTER PUBLICATION powersync DROP TABLE todos');
    await stage.sql(`UPDATE todos SET title = 'unheard' WHERE id = 1`);
    await stage.sql('ALTER PUBLICATION powersync ADD TABLE todos');
    await poll(stage.shown).toEqual(['1 unheard n1', '2 two n2']);
  });

  test('outside the publication is reported', async () => {
    await begin('postgresql', 'embedded');
    await stage.sql('ALTER PUBLICATION powersync DROP TABLE todos');
    expect((await stage.errors()).join()).toContain('is not part of publication');
  });

  test('whose updates were not published for a while is copied again', async () => {
    await begin('postgresql', 'embedded');
    await stage.sql(`ALTER PUBLICATION powersync SET (publish = 'insert')`);
    await stage.sql(`UPDATE todos SET title = 'unheard' WHERE id = 1`);
    await stage.sql(`ALTER PUBLICATION powersync SET (publish = 'insert, update, delete, truncate')`);
    await stage.sql(`INSERT INTO todos VALUES (3, 'three', 'n3')`);
    await poll(stage.shown).toEqual(['1 unheard n1', '2 two n2', '3 three n3']);
  });

  test('that is published later is copied even if it does not change', async () => {
    await begin('postgresql', 'embedded', 'CREATE TABLE todos (id int PRIMARY KEY, title text, note text)');
    await stage.sql(
      'DROP PUBLICATION powersync; CREATE TABLE x (id int); CREATE PUBLICATION powersync FOR TABLE x',
    );
    await stage.stop();
    await stage.sql(`INSERT INTO todos VALUES (1, 'before', 'n1')`);
    await stage.start();
    await stage.sql('ALTER PUBLICATION powersync ADD TABLE todos');
    await poll(stage.shown).toEqual(['1 before n1']);
  });

  test.each(all)(
    'of %s in %s has no values of a column that was dropped and added again',
    async (...kinds) => {
      await begin(...kinds);
      await stage.sql('ALTER TABLE todos DROP COLUMN note, ADD COLUMN note text');
      await stage.sql(`INSERT INTO todos VALUES (3, 'three', 'n3')`);
      await poll(stage.shown).toEqual(['1 one -', '2 two -', '3 three n3']);
      expect(stage.log().join('\n')).toContain('"note" was dropped and added again');
    },
  );

  test.each(all)(
    'of %s in %s without a key keeps one of two equal rows when the other is deleted',
    async (...kinds) => {
      const full = kinds[0] === 'embedded' ? '' : 'ALTER TABLE todos REPLICA IDENTITY FULL;';
      await begin(
        ...kinds,
        `CREATE TABLE todos (id int, title text, note text); ${full}
       INSERT INTO todos VALUES (1, 'copied', 'n'), (1, 'copied', 'n'), (2, 'other', 'n');`,
      );
      await stage.sql(`INSERT INTO todos VALUES (3, 'streamed', 'n'), (3, 'streamed', 'n'), (4, 'x', 'y')`);
      const deleteOne = (id: number) =>
        stage.sql(`DELETE FROM todos WHERE ctid = (SELECT min(ctid) FROM todos WHERE id = ${id})`);
      await deleteOne(1);
      await deleteOne(3);
      await stage.sql(`UPDATE todos SET note = 'end' WHERE id = 2`);
      await poll(stage.shown).toEqual(['1 copied n', '2 other end', '3 streamed n', '4 x y']);
      await deleteOne(1);
      await deleteOne(3);
      await poll(stage.shown).toEqual(['2 other end', '4 x y']);
      expect((await stage.errors()).join()).toMatch(/has no primary key/);
    },
  );

  test.each(all)('of %s in %s reports a missing row by its key until it is synced', async (...kinds) => {
    await begin(...kinds);
    await stage.sql(`INSERT INTO todos VALUES (7, repeat('x', 16777216), 'too large')`);
    const told = async () => (await stage.errors()).filter((error) => error.includes('SVC_S1002')).join();
    await poll(told).toMatch(/^warning: public\.todos, id=7: \[SVC_S1002\]/);
    await stage.stop();
    await stage.start();
    await poll(told).toMatch(/^warning: public\.todos, id=7: \[SVC_S1002\]/);
    await stage.sql(`UPDATE todos SET title = 'small' WHERE id = 7`);
    await poll(told).toBe('');
    await stage.stop();
    await stage.start();
    await poll(stage.shown).toContain('7 small too large');
    expect(await told()).toBe('');
  });
});
