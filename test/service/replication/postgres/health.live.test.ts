import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemOf, type Setup } from '../../../../server/service/replication/postgres/health.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { failureOf, neverAborted, openDatabase, type TestDatabase } from './support.ts';

const good: Setup = {
  wal_level: 'logical',
  max_replication_slots: 10,
  max_wal_senders: 10,
  publishes: ['insert', 'update', 'delete', 'truncate'],
  via_partition_root: false,
};

describe('the settings of a source', () => {
  test.each<readonly [string, Partial<Setup>, string, RegExp]>([
    [
      'no log for replication',
      { wal_level: 'replica' },
      'SVC_S1120',
      /ALTER SYSTEM SET wal_level = 'logical';/,
    ],
    ['no slots', { max_replication_slots: 0 }, 'SVC_S1120', /ALTER SYSTEM SET max_replication_slots = 10;/],
    ['no senders', { max_wal_senders: 0 }, 'SVC_S1120', /ALTER SYSTEM SET max_wal_senders = 10;/],
    ['no publication', { publishes: null }, 'SVC_S1141', /CREATE PUBLICATION powersync FOR ALL TABLES;/],
    [
      'no deletes and truncates',
      { publishes: ['insert', 'update'] },
      'SVC_S1142',
      /does not publish delete, truncate\. Run: ALTER PUBLICATION powersync SET \(publish = 'insert, update, delete, truncate'\);/,
    ],
    [
      'partitions as their root',
      { via_partition_root: true },
      'SVC_S1143',
      /ALTER PUBLICATION powersync SET \(publish_via_partition_root = false\);/,
    ],
  ])('with %s cannot be replicated, and the statement is given', (_, change, code, message) => {
    expect(problemOf({ ...good, ...change })).toEqual({
      level: 'fatal',
      code,
      message: expect.stringMatching(message),
    });
  });

  test('are right, also of a version that knows no partition root', () => {
    expect(problemOf(good)).toBeUndefined();
    expect(problemOf({ ...good, via_partition_root: null })).toBeUndefined();
  });
});

describe.skipIf(postgresPrograms.kind === 'missing')('the health of a real source', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;

  beforeAll(async () => {
    postgres = await startPostgres();
    database = await openDatabase(postgres);
  });

  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });

  const problem = async () => (await database.source.health()).problems[0]?.message;

  test('is good with a publication of everything', async () => {
    expect(await database.source.health()).toEqual({ connected: true, problems: [] });
  });

  test('improves by the statements that it gives', async () => {
    const statementOf = (message: string | undefined) => /Run: (.*?;)/.exec(message ?? '')?.[1] ?? '';
    await database.sql('DROP PUBLICATION powersync');
    const missing = await problem();
    expect(missing).toContain('[SVC_S1141]');
    await database.sql(statementOf(missing));
    expect(await problem()).toBeUndefined();

    await database.sql(`ALTER PUBLICATION powersync SET (publish = 'insert')`);
    await database.sql(statementOf(await problem()));
    expect(await problem()).toBeUndefined();

    await database.sql('ALTER PUBLICATION powersync SET (publish_via_partition_root = true)');
    await database.sql(statementOf(await problem()));
    expect(await problem()).toBeUndefined();
  });

  test('says which setting is wrong, and no slot is made then', async () => {
    await postgres.restart({ wal_level: 'replica' });
    expect(await problem()).toContain('wal_level is "replica"');
    const failure = await failureOf(database.stream().prepare(neverAborted));
    expect(failure).toMatchObject({ kind: 'settings', message: await problem() });
    await postgres.restart({ wal_level: 'logical' });
  });

  test('is that of a source that does not answer while the server is down', async () => {
    await postgres.halt();
    const health = await database.source.health();
    await postgres.resume();
    expect(health).toEqual({ connected: false, problems: [{ level: 'fatal', message: expect.any(String) }] });
    expect(await database.source.health()).toEqual({ connected: true, problems: [] });
  });
});
