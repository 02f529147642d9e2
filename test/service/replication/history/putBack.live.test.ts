/** A storage or a source that is replaced by an older copy of itself. */
import { afterEach, describe, expect, test } from 'vitest';
import { postgresPrograms } from '../../../support/processes/postgres.ts';
import { openStage, type Stage, todos } from './support.ts';

/** Each source and each storage occurs, because each remembers in its own way what the other one has had. */
const pairs = [
  { source: 'postgresql', storage: 'embedded' },
  { source: 'embedded', storage: 'postgresql' },
] as const;

const kinds = [
  ...pairs,
  { source: 'postgresql', storage: 'postgresql' },
  { source: 'embedded', storage: 'embedded' },
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
  test('a restored storage is replaced with a new copy, and serves no client before that', async () => {
    await begin(chosen);
    await keepStorage();
    await stage.start();
    await stage.sql(after);
    await poll(stage.shown).toEqual(await stage.rows());
    await putStorageBack();
    await expectNothingOlder();
    expect(stage.log().join('\n')).toContain('[SVC_S1500] The stored data ends at');
  });

  test('a storage restored to before another deployment took over is replaced with a new copy, and serves no client before that', async () => {
    await begin(chosen);
    await keepStorage();
    await stage.start();
    await stage.replace();
    await stage.sql(after);
    await poll(stage.shown).toEqual(await stage.rows());
    await putStorageBack();
    await expectNothingOlder();
    expect(stage.log().join('\n')).toContain('was created by a later state');
    // The second time, numbers that were assigned since the first time are not assigned again.
    await putStorageBack();
    await expectNothingOlder();
    // If other processes may read the storage, one replaced deployment is not cleared yet when the storage is restored.
    await poll(
      () => stage.log().filter((line) => line.includes('Cleared a replaced')).length,
    ).toBeGreaterThan(2);
    await poll(stage.slots).toHaveLength(1);
  });
});

describe.skipIf(postgresPrograms.kind === 'missing').each(pairs)('$source, stored in $storage', (chosen) => {
  test('a restored source is copied again', async () => {
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

  test('nothing is copied again if nothing was restored', async () => {
    await begin(chosen);
    for (const title of ['a', 'b', 'c']) {
      await stage.sql(`UPDATE todos SET title = '${title}' WHERE id = 1`);
      if (title !== 'b') await poll(stage.shown).toEqual([`1 ${title} n1`, '2 two n2']);
      await stage.stop();
      await stage.start();
    }
    await poll(stage.shown).toEqual(['1 c n1', '2 two n2']);
    expect(stage.codes()).not.toContain('SVC_S1500');
  });
});

describe.skipIf(postgresPrograms.kind === 'missing')('a server', () => {
  const chosen = kinds[0];
  const deploymentName = async () =>
    String((await stage.sql('SELECT slot_name FROM pg_replication_slots'))[0]?.slot_name);

  test('is copied again after it was restored, even if it has written more than before', async () => {
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
    expect(stage.log().join('\n')).toContain('now returns another log');
  });

  test('whose standby took over before the storage was restored: no client gets older rows', async () => {
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

  test('whose standby takes over without a slot: the stored rows are served meanwhile', async () => {
    await begin(chosen);
    await stage.stop();
    await stage.sql(`SELECT pg_drop_replication_slot('${await deploymentName()}')`);
    await stage.sourceServer?.promote();
    await stage.sql(after);
    // The new slot waits for this open transaction.
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
    // A deployment that served without replicating is still as old as before.
    await stage.replace();
    await putStorageBack();
    await expectNothingOlder();
  });

  test('whose pending copy is restored with the storage after it has been served: no client gets older rows', async () => {
    await begin(chosen);
    const writing = await stage.sourceServer?.client();
    await writing?.query('BEGIN; INSERT INTO others VALUES (1)');
    await stage.ask('/api/sync-rules/v1/reprocess');
    // The copy is so slow that it is not complete when the storage is kept.
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

  test('whose slot was dropped and created again under its name is copied again', async () => {
    await begin(chosen);
    await stage.stop();
    const slot = await deploymentName();
    await stage.sql(`SELECT pg_drop_replication_slot('${slot}')`);
    await stage.sql(after);
    await stage.sql(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
    await stage.start();
    await poll(stage.shown).toEqual(['1 changed n1', '2 two n2', '3 three n3']);
    expect(stage.log().join('\n')).toContain('[SVC_S1500]');
  });

  test('whose slot was advanced by another program is copied again', async () => {
    await begin(chosen);
    await stage.stop();
    await stage.sql(after);
    await stage.sql(`SELECT pg_replication_slot_advance('${await deploymentName()}', pg_current_wal_lsn())`);
    await stage.start();
    await poll(stage.shown).toEqual(['1 changed n1', '2 two n2', '3 three n3']);
  });

  test('at the address of a former server, with a slot of the same name, is copied again', async () => {
    await begin(chosen);
    const server = stage.sourceServer;
    await stage.stop();
    const slot = await deploymentName();
    await server?.becomeAnother();
    await stage.sql(todos.replace("'one'", "'of another'"));
    await stage.sql('CREATE PUBLICATION powersync FOR TABLE todos');
    await stage.sql(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
    await stage.sql(`UPDATE todos SET note = 'of it' WHERE id = 2`);
    await stage.start();
    await poll(stage.shown).toEqual(['1 of another n1', '2 two of it']);
  });
});
