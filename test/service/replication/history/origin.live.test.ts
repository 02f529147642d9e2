/** The source, and the history of that source, to which a storage belongs. If either differs, the source is copied again. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { postgresPrograms, superuser } from '../../../support/processes/postgres.ts';
import { openStage, type Stage, todos } from './support.ts';

/** Each source and each storage occurs, because the facts about a source do not depend on where they are stored. */
const pairs = [
  { source: 'postgresql', storage: 'embedded' },
  { source: 'embedded', storage: 'postgresql' },
] as const;

const kinds = [
  ...pairs,
  { source: 'postgresql', storage: 'postgresql' },
  { source: 'embedded', storage: 'embedded' },
] as const;
const [, embeddedInServer, serverInServer] = kinds;
const storages = [kinds[0], serverInServer];

let stage: Stage;
afterEach(() => stage.close());

const poll = <T>(ask: () => T) => expect.poll(ask);
const setTitle = (id: number, title: string) =>
  stage.sql(`UPDATE todos SET title = '${title}' WHERE id = ${id}`);
const log = () => stage.log().join('\n');

async function begin(chosen: (typeof kinds)[number]): Promise<void> {
  stage = await openStage(chosen);
  await stage.start();
  await poll(stage.shown).toEqual(['1 one n1', '2 two n2']);
}

/** Keeps a copy of the storage and of the source while the service is stopped. */
async function keepBoth(name: string): Promise<void> {
  await stage.stop();
  await stage.storage.keepCopy(name);
  await stage.source.keepCopy(name);
}

/** Changes the stored facts about the source with SQL assignments, while the service is stopped. */
async function setOrigin(assignments: string): Promise<void> {
  const sql = `deployments SET ${assignments}`;
  const { storageSettings: settings } = stage;
  if (settings.type === 'embedded') {
    const database = new DatabaseSync(join(settings.path, 'data.sqlite'));
    // The service accepts a record without a checksum.
    database.exec(`UPDATE ${sql}, "check" = NULL`);
    database.close();
    return;
  }
  const client = new pg.Client({
    host: settings.hostname,
    port: settings.port,
    database: 'postgres',
    ...superuser,
  });
  await client.connect();
  await client.query(`UPDATE headwater.${sql}`);
  await client.end();
}

describe.skipIf(postgresPrograms.kind === 'missing').each(kinds)('$source, stored in $storage', (chosen) => {
  test('a restored source that continues with other changes of the same size is copied again', async () => {
    await begin(chosen);
    await keepBoth('early');
    await stage.start();
    await setTitle(1, 'first');
    await poll(stage.shown).toEqual(['1 first n1', '2 two n2']);
    await stage.stop();
    await stage.source.putBack('early');
    if (chosen.source === 'embedded') await stage.start();
    await setTitle(2, 'other');
    if (chosen.source === 'postgresql') await stage.start();
    await poll(stage.shown).toEqual(['1 one n1', '2 other n2']);
    expect(stage.codes()).toContain('SVC_S1500');
  });
});

describe.skipIf(postgresPrograms.kind === 'missing').each(pairs)('$source, stored in $storage', (chosen) => {
  test('a source is copied again if it and the storage have continued differently from the same state', async () => {
    await begin(chosen);
    await keepBoth('early');
    await stage.start();
    await setTitle(1, 'first');
    await poll(stage.shown).toEqual(['1 first n1', '2 two n2']);
    await keepBoth('one');
    await stage.storage.putBack('early');
    await stage.source.putBack('early');
    await stage.start();
    await setTitle(2, 'other');
    await poll(stage.shown).toEqual(['1 one n1', '2 other n2']);
    await stage.stop();
    await stage.storage.putBack('one');
    await stage.start();
    await poll(stage.shown).toEqual(['1 one n1', '2 other n2']);
    expect(stage.codes()).toContain('SVC_S1500');
  });

  test('a storage and a source that are restored to the same moment continue from there', async () => {
    await begin(chosen);
    await keepBoth('early');
    await stage.start();
    await setTitle(1, 'later');
    await poll(stage.shown).toEqual(['1 later n1', '2 two n2']);
    await stage.stop();
    await stage.storage.putBack('early');
    await stage.source.putBack('early');
    await stage.start();
    await setTitle(2, 'other');
    await poll(stage.shown).toEqual(['1 one n1', '2 other n2']);
    expect(stage.codes()).not.toContain('SVC_S1500');
  });

  test('a storage of an earlier release is used without a new copy', async () => {
    await begin(chosen);
    await stage.stop();
    // An earlier release leaves the storage like this.
    await setOrigin('source_system = NULL, source_timeline = NULL, last_event_mark = NULL');
    await stage.start();
    await setTitle(1, 'later');
    await poll(stage.shown).toEqual(['1 later n1', '2 two n2']);
    expect(stage.codes()).not.toContain('SVC_S1500');
  });
});

describe.skipIf(postgresPrograms.kind === 'missing')('a server', () => {
  test.each(storages)('is followed without a copy when a standby takes over: $storage', async (chosen) => {
    await begin(chosen);
    await stage.sourceServer?.promote();
    await setTitle(1, 'after');
    await poll(stage.shown).toEqual(['1 after n1', '2 two n2']);
    await stage.stop();
    await stage.start();
    await setTitle(2, 'again');
    await poll(stage.shown).toEqual(['1 after n1', '2 again n2']);
    expect(stage.codes()).not.toContain('SVC_S1500');
  });

  test.each(storages)(
    'is copied again when a standby takes over that lacks the last changes: $storage',
    async (chosen) => {
      await begin(chosen);
      await stage.sourceServer?.keepCopy();
      await setTitle(1, 'first');
      await poll(stage.shown).toEqual(['1 first n1', '2 two n2']);
      await stage.stop();
      await stage.sourceServer?.putBack();
      await stage.sourceServer?.promote();
      await setTitle(2, 'other');
      await stage.start();
      await poll(stage.shown).toEqual(['1 one n1', '2 other n2']);
      expect(log()).toContain('the source continues from');
    },
  );

  test.each(storages)(
    'is copied again if its log has another event at the position of the last event that was read: $storage',
    async (chosen) => {
      await begin(chosen);
      await stage.stop();
      // Two continuations of a log have an event at the same position only by chance, so the test changes the stored event instead.
      await setOrigin(`last_event_mark = '7 of another one'`);
      await stage.start();
      await poll(log).toContain('[SVC_S1500]');
      await poll(stage.shown).toEqual(['1 one n1', '2 two n2']);
    },
  );

  test.each(storages)(
    'is copied again if it was restored to before the end of a copy: $storage',
    async (chosen) => {
      await begin(chosen);
      await stage.stop();
      // The storage looks as if the last copy had ended at this later position, and nothing had been read from the log since.
      await setOrigin(`no_checkpoint_before = '000000FF/00000000'`);
      await setTitle(1, 'after');
      await stage.start();
      await poll(stage.shown).toEqual(['1 after n1', '2 two n2']);
      expect(stage.codes()).toContain('SVC_S1500');
    },
  );

  test('at the address of a former server is recognized as another one', async () => {
    await begin(kinds[0]);
    const [{ slot_name: slot } = {}] = await stage.sql('SELECT slot_name FROM pg_replication_slots');
    await stage.stop();
    await stage.sourceServer?.becomeAnother();
    await stage.sql(todos);
    await stage.sql('CREATE PUBLICATION powersync FOR TABLE todos');
    await stage.sql(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
    await setTitle(1, 'there');
    await stage.start();
    await poll(stage.shown).toEqual(['1 there n1', '2 two n2']);
    expect(log()).toContain('with the system identifier');
  });
});

test.skipIf(postgresPrograms.kind === 'missing')(
  'a storage whose server is restored under a running service is replaced with a new copy',
  async () => {
    await begin(embeddedInServer);
    await stage.storage.keepCopy();
    await setTitle(1, 'first');
    await poll(stage.shown).toEqual(['1 first n1', '2 two n2']);
    await stage.storage.putBack();
    await setTitle(2, 'other');
    await poll(stage.shown).toEqual(['1 first n1', '2 other n2']);
    expect(stage.codes()).toContain('SVC_S1500');
  },
);
