import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { patient } from '../../../../scripts/run/patience.ts';
import type { ChangeEvent } from '../../../../server/service/replication/source.ts';
import { untilTrue } from '../../../support/house/eventually.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { failureOf, follow, neverAborted, openDatabase, type TestDatabase } from './support.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('a stream of Postgres', () => {
  /** The server disconnects a client from which it has heard nothing for this time, in milliseconds. */
  const timeout = patient(1_000);
  let postgres: TestPostgres;
  let database: TestDatabase;
  let slot: string;

  beforeAll(async () => {
    postgres = await startPostgres({ wal_sender_timeout: `${timeout}ms` });
  });

  beforeEach(async () => {
    database = await openDatabase(postgres, 'CREATE TABLE t (id int PRIMARY KEY, body text)');
    slot = `powersync_${database.name}`;
  });

  afterEach(async () => {
    await database.source.dropBacklog(slot).catch(() => undefined);
    await database.close();
  });

  afterAll(() => postgres.stop());

  /** Waits for longer than the server waits for a sign of life. */
  const outlastTimeout = async (): Promise<void> => {
    const sql = `SELECT reply_time > now() - $2::float8 * interval '1 ms' AS is_heard
      FROM pg_stat_replication s JOIN pg_replication_slots r ON r.active_pid = s.pid WHERE r.slot_name = $1`;
    const start = performance.now();
    await untilTrue(async () => {
      // Reports that came after the time-out would have come too late.
      const [row] = await postgres.query<{ is_heard: boolean | null }>(sql, [
        slot,
        performance.now() - start - 1.5 * timeout,
      ]);
      return performance.now() - start > 1.5 * timeout && row?.is_heard === true;
    });
  };

  test('stays alive while nothing happens', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    const follower = follow(database.source, stream);
    await follower.settled();
    await outlastTimeout();
    await database.sql('INSERT INTO t VALUES (1)');
    expect((await follower.settled()).map(({ kind }) => kind)).toContain('insert');
    await follower.stop();
  });

  test('stays alive while its consumer is slow, buffers little, and loses nothing', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    await database.sql(`INSERT INTO t SELECT i, repeat('x', 1000) FROM generate_series(1, 30000) i`);
    const abort = new AbortController();
    const chunks = stream.changes(abort.signal)[Symbol.asyncIterator]();
    const next = async (): Promise<readonly ChangeEvent[]> => (await chunks.next()).value?.events ?? [];
    const events = [...(await next())];
    const blocked = `SELECT FROM pg_stat_activity WHERE wait_event = 'WalSenderWriteData'`;
    await untilTrue(async () => (await postgres.query(blocked)).length > 0);
    await outlastTimeout();
    const waiting = await next();
    const bytes = waiting.length * 1000;
    expect(bytes).toBeGreaterThanOrEqual(500_000);
    expect(bytes).toBeLessThan(10_000_000);
    events.push(...waiting);
    while (!events.some(({ kind }) => kind === 'commit')) events.push(...(await next()));
    expect(events.filter(({ kind }) => kind === 'insert')).toHaveLength(30_000);
    abort.abort();
    expect(await chunks.next()).toMatchObject({ done: true });
  });

  test('fails as closed when the server restarts, and can continue afterwards', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    const first = follow(database.source, stream);
    await database.sql('INSERT INTO t VALUES (1)');
    await first.settled();
    await postgres.restart();
    expect(await failureOf(first.settled())).toMatchObject({ kind: 'closed' });
    await database.sql('INSERT INTO t VALUES (2)');
    const second = follow(database.source, stream);
    const ids = (await second.settled()).flatMap((event) =>
      event.kind === 'insert' ? [event.row.values.id] : [],
    );
    // After a crash the server may have forgotten the last acknowledgement. Then it sends the changes again.
    expect(ids.filter((id) => id !== 1n)).toEqual([2n]);
    await second.stop();
  });

  test('does not keep the server from shutting down, even if changes are not acknowledged', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    const follower = follow(database.source, stream, false);
    await database.sql('INSERT INTO t VALUES (1)');
    await follower.settled();
    const confirmed = (await database.source.backlog(slot)).confirmed;
    await postgres.shutDown();
    await postgres.resume();
    expect(await failureOf(follower.settled())).toMatchObject({ kind: 'closed' });
    expect((await database.source.backlog(slot)).confirmed).toBe(confirmed);
  });

  test('fails as closed when an administrator ends it', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    const follower = follow(database.source, stream);
    await follower.settled();
    await postgres.query(
      'SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1',
      [slot],
    );
    await untilTrue(async () => {
      const [row] = await postgres.query('SELECT active FROM pg_replication_slots WHERE slot_name = $1', [
        slot,
      ]);
      return row?.active === false;
    });
    expect(await failureOf(follower.settled())).toMatchObject({ kind: 'closed' });
  });

  test('fails as unreachable while the server is down', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    await postgres.halt();
    const follower = follow(database.source, stream);
    const failure = await failureOf(follower.settled());
    await postgres.resume();
    expect(failure).toMatchObject({ kind: 'unreachable', code: 'SVC_S1121' });
  });

  test('is lost when the publication was made after the slot', async () => {
    const stream = database.stream({ slot });
    await database.sql('DROP PUBLICATION powersync');
    expect(await failureOf(stream.prepare(neverAborted))).toMatchObject({
      kind: 'settings',
      code: 'SVC_S1141',
    });
    await database.sql(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
    await database.sql('INSERT INTO t VALUES (1)');
    await database.sql('CREATE PUBLICATION powersync FOR ALL TABLES');
    const follower = follow(database.source, stream);
    expect(await failureOf(follower.settled())).toMatchObject({
      kind: 'backlog-lost',
      message: expect.stringMatching(/publication "powersync" does not exist/i),
    });
  });

  test('is also lost without a publication if the server speaks another language', async ({ skip }) => {
    await database.sql(`ALTER DATABASE ${database.name} SET lc_messages = 'C.UTF-8'`).catch(() => skip());
    const english = /does not exist/;
    const refusal = await database.sql('SELECT * FROM nowhere').catch(String);
    if (english.test(String(refusal))) skip();
    await database.sql('DROP PUBLICATION powersync');
    await database.sql(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
    await database.sql('INSERT INTO t VALUES (1)');
    await database.sql('CREATE PUBLICATION powersync FOR ALL TABLES');
    const follower = follow(database.source, database.stream({ slot }));
    const failure = await failureOf(follower.settled());
    expect(failure).toMatchObject({ kind: 'backlog-lost' });
    expect(failure.message).not.toMatch(english);
  });

  test('ends at once when it was aborted before it began', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    const chunks = stream.changes(AbortSignal.abort())[Symbol.asyncIterator]();
    expect(await chunks.next()).toMatchObject({ done: true });
  });

  test('does not announce a table or read a row again before other sessions can see them', async () => {
    const body = `(SELECT string_agg(md5(i::text), '') FROM generate_series(1, 400) i)`;
    await database.sql(
      `CREATE TABLE known (id int PRIMARY KEY, n int, body text); INSERT INTO known VALUES (1, 0, ${body})`,
    );
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    const follower = follow(database.source, stream);
    await database.sql('INSERT INTO t VALUES (1)');
    await follower.settled();
    const introduced = follower.events.length;
    // Commits are written, but wait for a standby that never comes.
    await postgres.query(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
    await postgres.query('SELECT pg_reload_conf()');
    const writing = await postgres.client(database.name);
    await untilTrue(async () => {
      const { rows } = await writing.query('SHOW synchronous_standby_names');
      return rows[0]?.synchronous_standby_names === 'nobody';
    });
    const committed = writing.query(
      `CREATE TABLE plain (id int PRIMARY KEY); INSERT INTO plain VALUES (0);
       CREATE TYPE fresh AS (x int); CREATE TABLE made (id int PRIMARY KEY, f fresh);
       INSERT INTO made VALUES (1, '(1)'); UPDATE known SET n = 1`,
    );
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    await untilTrue(async () => (await postgres.query(waiting)).length > 0);
    const fresh = () => follower.events.slice(introduced).map(({ kind }) => kind);
    await untilTrue(async () => fresh().includes('begin'));
    expect(fresh()).not.toContain('table');
    const table = await database.table('known');
    const stale = await stream.refetch(table, [1n], AbortSignal.timeout(100));
    expect(stale).toEqual([]);
    const refetched = stream.refetch(table, [1n], neverAborted);
    await postgres.query('ALTER SYSTEM RESET synchronous_standby_names');
    await postgres.query('SELECT pg_reload_conf()');
    await committed;
    await writing.end();
    expect((await refetched)[0]?.n).toBe(1n);
    const rows = (await follower.settled()).flatMap((event) => ('row' in event ? [event.row] : []));
    expect(rows.slice(0, 2).map(({ values }) => ({ ...values }))).toEqual([
      { id: 0n },
      { id: 1n, f: '{"x":1}' },
    ]);
    await follower.stop();
  });
});
