/** The source, and the history of it, to which a storage belongs. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { postgresPrograms, superuser } from '../../../support/processes/postgres.ts';
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
const setTitle = (id: number, title: string) =>
  stage.sql(`UPDATE todos SET title = '${title}' WHERE id = ${id}`);
const log = () => stage.log().join('\n');

async function begin(chosen: (typeof kinds)[number]): Promise<void> {
  stage = await openStage(chosen);
  await stage.start();
  await poll(stage.shown).toEqual(['1 one n1', '2 two n2']);
}

/** Source and storage, while neither is used. */
async function keepBoth(name: string): Promise<void> {
  await stage.stop();
  await stage.storage.keepCopy(name);
  await stage.source.keepCopy(name);
}

/** Changes the stored facts about the source by assignments, while the service does not run. */
async function setOrigin(assignments: string): Promise<void> {
  const sql = `deployments SET ${assignments}`;
  const { storageSettings: settings } = stage;
  if (settings.type === 'embedded') {
    const database = new DatabaseSync(join(settings.path, 'data.sqlite'));
    // The service takes a record without a checksum as it is.
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
  test('a source that was put back and goes on with other changes of the same size is copied anew', async () => {
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
    expect(log()).toContain('[SVC_S1500]');
  });

  test('a storage and a source of two continuations of the same state are told apart', async () => {
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
    expect(log()).toContain('[SVC_S1500]');
  });

  test('both put back to the same moment go on from there', async () => {
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
    expect(log()).not.toMatch(/anew|1500/);
  });

  test('a storage of an earlier release is taken up, and known from then on', async () => {
    await begin(chosen);
    await stage.stop();
    // An earlier release has left the storage like this.
    await setOrigin('source_system = NULL, source_timeline = NULL, last_event_mark = NULL');
    await stage.start();
    await setTitle(1, 'later');
    await poll(stage.shown).toEqual(['1 later n1', '2 two n2']);
    expect(log()).not.toMatch(/anew|1500/);
  });
});

describe.skipIf(postgresPrograms.kind === 'missing')('a server', () => {
  test.each([kinds[0], kinds[1]])(
    'of which a standby takes over is followed without a copy: $storage',
    async (chosen) => {
      await begin(chosen);
      await stage.sourceServer?.promote();
      await setTitle(1, 'after');
      await poll(stage.shown).toEqual(['1 after n1', '2 two n2']);
      await stage.stop();
      await stage.start();
      await setTitle(2, 'again');
      await poll(stage.shown).toEqual(['1 after n1', '2 again n2']);
      expect(log()).not.toMatch(/anew|1500/);
    },
  );

  test.each([kinds[0], kinds[1]])(
    'of which a standby takes over that lacks the last changes is copied anew: $storage',
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
      expect(log()).toContain('the source goes on from');
    },
  );

  test.each([kinds[0], kinds[1]])(
    'whose log has another event at the place of the last one that was read is copied anew: $storage',
    async (chosen) => {
      await begin(chosen);
      await stage.stop();
      // Positions in two continuations of one log are alike now and then, and cannot be made so here.
      await setOrigin(`last_event_mark = '7 of another one'`);
      await stage.start();
      await poll(log).toContain('[SVC_S1500]');
      await poll(stage.shown).toEqual(['1 one n1', '2 two n2']);
    },
  );

  test.each([kinds[0], kinds[1]])(
    'that was put back to before the end of a copy is copied anew: $storage',
    async (chosen) => {
      await begin(chosen);
      await stage.stop();
      // The storage looks as if the last copy had ended there, and nothing had been read of the log since.
      await setOrigin(`no_checkpoint_before = '000000FF/00000000'`);
      await setTitle(1, 'after');
      await stage.start();
      await poll(stage.shown).toEqual(['1 after n1', '2 two n2']);
      expect(log()).toContain('[SVC_S1500]');
    },
  );

  test('at the address of another one is said to be another one', async () => {
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
  'a storage whose server is put back under a running service is copied anew',
  async () => {
    await begin(kinds[3]);
    await stage.storage.keepCopy();
    await setTitle(1, 'first');
    await poll(stage.shown).toEqual(['1 first n1', '2 two n2']);
    await stage.storage.putBack();
    await setTitle(2, 'other');
    await poll(stage.shown).toEqual(['1 first n1', '2 other n2']);
    expect(log()).toContain('[SVC_S1500]');
  },
);
