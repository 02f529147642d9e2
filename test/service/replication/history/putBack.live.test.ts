/** A storage or a source that is replaced by an older copy of itself. */
import { afterEach, describe, expect, test } from 'vitest';
import { postgresPrograms } from '../../../support/processes/postgres.ts';
import { openStage, type Stage, todos } from './support.ts';

const kinds = [
  { source: 'postgresql', storage: 'embedded' },
  { source: 'postgresql', storage: 'postgresql' },
  { source: 'embedded', storage: 'embedded' },
  { source: 'embedded', storage: 'postgresql' },
] as const;

let stage: Stage;
afterEach(() => stage.close());

const poll = <T>(ask: () => T) => expect.poll(ask);

async function begin(chosen: (typeof kinds)[number]): Promise<void> {
  stage = await openStage(chosen);
  await stage.start();
  await poll(stage.shown).toEqual(['1 one n1', '2 two n2']);
}

async function keepStorage(): Promise<void> {
  await stage.stop();
  await stage.storage.keepCopy();
}

async function putStorageBack(): Promise<void> {
  await stage.stop();
  await stage.storage.putBack();
  await stage.start();
}

async function expectNothingOlder(): Promise<void> {
  const first = await stage.shown();
  if (typeof first === 'string') expect(first).toContain('SVC_S2302');
  else expect(first).toEqual(await stage.rows());
  await poll(stage.shown).toEqual(await stage.rows());
}

const after = `INSERT INTO todos VALUES (3, 'three', 'n3'); UPDATE todos SET title = 'changed' WHERE id = 1`;

describe.skipIf(postgresPrograms.kind === 'missing').each(kinds)('$source, stored in $storage', (chosen) => {
  test('a storage that was put back is copied anew, and serves nobody before', async () => {
    await begin(chosen);
    await keepStorage();
    await stage.start();
    await stage.sql(after);
    await poll(stage.shown).toEqual(await stage.rows());
    await putStorageBack();
    await expectNothingOlder();
    expect(stage.log().join('\n')).toContain('[SVC_S1500] What is stored ends at');
  });

  test('a storage that was put back to before another deployment took over is copied anew, and serves nobody before', async () => {
    await begin(chosen);
    await keepStorage();
    await stage.start();
    await stage.replace();
    await stage.sql(after);
    await poll(stage.shown).toEqual(await stage.rows());
    await putStorageBack();
    await expectNothingOlder();
    expect(stage.log().join('\n')).toContain('was made by a later state');
    // The second time, positions that were given since are not given again.
    await putStorageBack();
    await expectNothingOlder();
    await poll(() => stage.log().filter((line) => line.includes('is cleared')).length).toBeGreaterThan(3);
    expect(await stage.slots()).toHaveLength(1);
  });

  test('a source that was put back is copied anew', async () => {
    await begin(chosen);
    const apart = chosen.source === 'postgresql' ? async () => {} : stage.stop;
    await apart();
    await stage.source.keepCopy();
    if (chosen.source === 'embedded') await stage.start();
    await stage.sql(after);
    await poll(stage.shown).toEqual(['1 changed n1', '2 two n2', '3 three n3']);
    await apart();
    await stage.source.putBack();
    if (chosen.source === 'embedded') await stage.start();
    await poll(stage.shown).toEqual(['1 one n1', '2 two n2']);
    expect(stage.log().join('\n')).toContain('[SVC_S1500] The source');
    await stage.sql(`INSERT INTO todos VALUES (4, 'four', 'n4')`);
    await poll(stage.shown).toEqual(['1 one n1', '2 two n2', '4 four n4']);
  });

  test('nothing is copied anew when nothing was put back', async () => {
    await begin(chosen);
    for (const title of ['a', 'b', 'c']) {
      await stage.sql(`UPDATE todos SET title = '${title}' WHERE id = 1`);
      if (title !== 'b') await poll(stage.shown).toEqual([`1 ${title} n1`, '2 two n2']);
      await stage.stop();
      await stage.start();
    }
    await poll(stage.shown).toEqual(['1 c n1', '2 two n2']);
    expect(stage.log().filter((line) => /anew|1500/.test(line))).toEqual([]);
  });
});

describe.skipIf(postgresPrograms.kind === 'missing')('a server', () => {
  const chosen = kinds[0];
  const slotName = async () =>
    String((await stage.sql('SELECT slot_name FROM pg_replication_slots'))[0]?.slot_name);

  test('that was put back and has written more than it had before is copied anew', async () => {
    await begin(chosen);
    const server = stage.sourceServer;
    await server?.keepCopy();
    await stage.sql(after);
    await poll(stage.shown).toEqual(['1 changed n1', '2 two n2', '3 three n3']);
    await stage.stop();
    await server?.putBack();
    await stage.sql(`CREATE TABLE much AS SELECT repeat('x', 500) FROM generate_series(1, 20000)`);
    await stage.sql(`UPDATE todos SET title = 'elsewhere' WHERE id = 2`);
    await stage.start();
    await poll(stage.shown).toEqual(['1 one n1', '2 elsewhere n2']);
    expect(stage.log().join('\n')).toContain('what slot');
  });

  test('of which a standby took over right before the storage was put back: nobody gets anything older', async () => {
    await begin(chosen);
    const server = stage.sourceServer;
    await server?.keepCopy();
    await stage.sql(`UPDATE todos SET title = 'lacking' WHERE id = 2`);
    await poll(stage.shown).toEqual(['1 one n1', '2 lacking n2']);
    await keepStorage();
    await server?.putBack();
    await server?.promote();
    await stage.start();
    await stage.sql(after);
    await poll(stage.shown).toEqual(['1 changed n1', '2 two n2', '3 three n3']);
    await poll(stage.slots).toEqual([expect.stringMatching(/^powersync_2_/)]);
    await putStorageBack();
    await expectNothingOlder();
  });

  test('of which a standby takes over that has no slot goes on being served meanwhile', async () => {
    await begin(chosen);
    await stage.stop();
    await stage.sql(`SELECT pg_drop_replication_slot('${await slotName()}')`);
    await stage.sourceServer?.promote();
    await stage.sql(after);
    // The new slot waits for it.
    const writing = await stage.sourceServer?.client();
    await writing?.query('BEGIN; INSERT INTO others VALUES (1)');
    await stage.start();
    expect(await stage.shown()).toEqual(['1 one n1', '2 two n2']);
    await poll(stage.errors).toContainEqual(expect.stringContaining('is missing'));
    expect(await stage.shown()).toEqual(['1 one n1', '2 two n2']);
    await keepStorage();
    await writing?.query('COMMIT');
    await writing?.end();
    await stage.start();
    await poll(stage.shown).toEqual(await stage.rows());
    // The kept storage does not know where the new slot begins.
    await putStorageBack();
    await expectNothingOlder();
    // A deployment that served without replication is as old as before.
    await stage.replace();
    await putStorageBack();
    await expectNothingOlder();
  });

  test('of which a pending copy was kept with the storage, and has been served since: nobody gets anything older', async () => {
    await begin(chosen);
    const writing = await stage.sourceServer?.client();
    await writing?.query('BEGIN; INSERT INTO others VALUES (1)');
    await stage.ask('/api/sync-rules/v1/reprocess');
    // So slow that it is not done when it is kept.
    await stage.ask('/api/admin/v1/copy', { action: 'rate', rows_per_second: 1 });
    await writing?.query('COMMIT');
    await writing?.end();
    const copies = () => stage.log().filter((line) => line.includes('Copying a table')).length;
    await poll(copies).toBe(2);
    await keepStorage();
    await stage.start();
    await stage.ask('/api/admin/v1/copy', { action: 'rate', rows_per_second: null });
    await poll(stage.slots).toEqual([expect.stringMatching(/^powersync_2_/)]);
    await stage.sql(after);
    await poll(stage.shown).toEqual(await stage.rows());
    await putStorageBack();
    await expectNothingOlder();
  });

  test('whose slot was made anew by its name is copied anew', async () => {
    await begin(chosen);
    await stage.stop();
    const slot = await slotName();
    await stage.sql(`SELECT pg_drop_replication_slot('${slot}')`);
    await stage.sql(after);
    await stage.sql(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
    await stage.start();
    await poll(stage.shown).toEqual(['1 changed n1', '2 two n2', '3 three n3']);
    expect(stage.log().join('\n')).toContain('[SVC_S1500]');
  });

  test('whose slot was advanced by somebody else is copied anew', async () => {
    await begin(chosen);
    await stage.stop();
    await stage.sql(after);
    await stage.sql(`SELECT pg_replication_slot_advance('${await slotName()}', pg_current_wal_lsn())`);
    await stage.start();
    await poll(stage.shown).toEqual(['1 changed n1', '2 two n2', '3 three n3']);
  });

  test('at the address of another one, with a slot of that name, is copied anew', async () => {
    await begin(chosen);
    const server = stage.sourceServer;
    await stage.stop();
    const slot = await slotName();
    await server?.becomeAnother();
    await stage.sql(todos.replace("'one'", "'of another'"));
    await stage.sql('CREATE PUBLICATION powersync FOR TABLE todos');
    await stage.sql(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
    await stage.sql(`UPDATE todos SET note = 'of it' WHERE id = 2`);
    await stage.start();
    await poll(stage.shown).toEqual(['1 of another n1', '2 two of it']);
  });
});
