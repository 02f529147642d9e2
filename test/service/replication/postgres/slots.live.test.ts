import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { openVisibility } from '../../../../server/service/replication/postgres/log/visibility.ts';
import type { WaitReporter } from '../../../../server/service/replication/postgres/log/waiting.ts';
import { openQueries, type Queries } from '../../../../server/service/replication/postgres/queries.ts';
import { createSlot } from '../../../../server/service/replication/postgres/slots.ts';
import { untilTrue } from '../../../support/house/eventually.ts';
import { startFaultyProxy } from '../../../support/processes/faultyProxy.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { failureOf, follow, neverAborted, openDatabase, type TestDatabase } from './support.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('a slot of Postgres', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;
  let slot: string;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  beforeEach(async () => {
    database = await openDatabase(postgres, 'CREATE TABLE t (id int PRIMARY KEY)');
    slot = `powersync_${database.name}`;
  });

  afterEach(async () => {
    await database.source.dropBacklog(slot).catch(() => undefined);
    await database.close();
  });

  afterAll(() => postgres.stop());

  const idsIn = (events: readonly { readonly kind: string }[]) =>
    events.flatMap((event) =>
      'row' in event ? [(event as { row: { values: { id: bigint } } }).row.values.id] : [],
    );

  test('is created once and kept', async () => {
    const stream = database.stream({ slot });
    expect(await database.source.backlog(slot)).toEqual({ kind: 'absent' });
    expect(await stream.prepare(neverAborted)).toBe('created');
    expect(await stream.prepare(neverAborted)).toBe('kept');
    expect(await database.source.backlog(slot)).toMatchObject({ kind: 'ready', status: 'reserved' });
  });

  test('can be dropped even if it does not exist', async () => {
    await database.stream({ slot }).prepare(neverAborted);
    await database.source.dropBacklog(slot);
    await database.source.dropBacklog(slot);
    expect(await database.source.backlog(slot)).toEqual({ kind: 'absent' });
  });

  test('keeps only the changes that were not acknowledged', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    const first = follow(database.source, stream, false);
    await database.sql('INSERT INTO t VALUES (1)');
    const [commit] = (await first.settled()).filter((event) => event.kind === 'commit');
    await database.sql('INSERT INTO t VALUES (2)');
    expect(idsIn(await first.settled())).toEqual([2n]);
    if (commit?.kind !== 'commit') throw new Error('no commit');
    stream.acknowledge(commit.position);
    await first.stop();
    expect((await database.source.backlog(slot)).confirmed).toBe(commit.position);

    const second = follow(database.source, database.stream({ slot }), false);
    expect(idsIn(await second.settled())).toEqual([2n]);
    await second.stop();
    const third = follow(database.source, database.stream({ slot }), false);
    expect(idsIn(await third.settled())).toEqual([2n]);
    await third.stop();
  });

  test('falls behind while nothing is acknowledged, and reports by how much', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    const follower = follow(database.source, stream, false);
    await database.sql('INSERT INTO t SELECT generate_series(1, 10000)');
    await follower.settled();
    const { lagBytes = 0, confirmed } = await database.source.backlog(slot);
    expect(lagBytes).toBeGreaterThan(100_000);
    const last = follower.events.findLast((event) => event.kind === 'keepalive');
    if (last?.kind !== 'keepalive') throw new Error('no mark');
    stream.acknowledge(last.position);
    await untilTrue(async () => (await database.source.backlog(slot)).confirmed !== confirmed);
    expect((await database.source.backlog(slot)).lagBytes).toBeLessThan(5000);
    await follower.stop();
  });

  test('that another stream reads is busy', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    const first = follow(database.source, stream);
    await first.settled();
    const second = follow(database.source, database.stream({ slot }));
    expect(await failureOf(second.settled())).toMatchObject({ kind: 'backlog-busy', code: 'SVC_S1003' });
    expect(await failureOf(database.source.dropBacklog(slot))).toMatchObject({ kind: 'backlog-busy' });
    await first.stop();
  });

  test('is free at once after its reader has stopped', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    for (let times = 0; times < 5; times += 1) {
      const follower = follow(database.source, stream);
      await follower.settled();
      await follower.stop();
    }
  });

  test('that is missing cannot be read', async () => {
    const follower = follow(database.source, database.stream({ slot }));
    expect(await failureOf(follower.settled())).toMatchObject({ kind: 'backlog-missing', code: 'SVC_S1146' });
  });

  test('of another database is refused', async () => {
    await postgres.query('SELECT pg_create_logical_replication_slot($1, $2)', [slot, 'pgoutput']);
    const failure = await failureOf(database.stream({ slot }).prepare(neverAborted));
    expect(failure).toMatchObject({ kind: 'settings', message: expect.stringContaining('another database') });
    await postgres.query('SELECT pg_drop_replication_slot($1)', [slot]);
  });

  test('waits for open transactions, and misses none of their changes', async () => {
    const writing = await postgres.client(database.name);
    await writing.query('BEGIN; INSERT INTO t VALUES (1)');
    const stream = database.stream({ slot });
    let isMade = false;
    const made = stream.prepare(neverAborted).then(() => {
      isMade = true;
    });
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'CREATE_REPLICATION_SLOT%'`;
    await untilTrue(async () => (await postgres.query(waiting)).length > 0);
    expect(isMade).toBe(false);
    await writing.query('COMMIT');
    await writing.end();
    await made;
    expect(await database.sql('SELECT id FROM t')).toEqual([{ id: 1 }]);
  });

  test('that is still being created is also given up on the server when the caller stops', async () => {
    const writing = await postgres.client(database.name);
    await writing.query('BEGIN; INSERT INTO t VALUES (1)');
    const stream = database.stream({ slot });
    const stopping = new AbortController();
    const failure = failureOf(stream.prepare(stopping.signal));
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'CREATE_REPLICATION_SLOT%'`;
    await untilTrue(async () => (await postgres.query(waiting)).length > 0);
    expect(await database.source.backlog(slot)).toEqual({ kind: 'absent' });
    expect(await failureOf(database.source.dropBacklog(slot))).toMatchObject({ kind: 'backlog-busy' });
    stopping.abort();
    expect(await failure).toMatchObject({ kind: 'closed' });
    // The slot can be dropped although the transaction is still open.
    await untilTrue(() =>
      database.source.dropBacklog(slot).then(
        () => true,
        () => false,
      ),
    );
    await writing.end();
  });

  test.each(['SELECT pg_backend_pid', 'BEGIN ISOLATION', 'CREATE_REPLICATION_SLOT'])(
    'is given up before the server has received %s',
    async (holdAt) => {
      const writing = await postgres.client(database.name);
      await writing.query('BEGIN; INSERT INTO t VALUES (1)');
      const proxy = await startFaultyProxy(postgres.port);
      const direct = openQueries(postgres.connection({ database: database.name }));
      const cancelled: Promise<unknown>[] = [];
      const queries: Queries = {
        ...direct,
        all: <Row>(sql: string, args?: readonly unknown[]) => {
          const rows = direct.all<Row>(sql, args);
          cancelled.push(rows);
          return rows;
        },
      };
      const stopping = new AbortController();
      proxy.set({ holdAt });
      const connection = postgres.connection({ database: database.name, port: proxy.port });
      const waiting: WaitReporter = (_, work) => work;
      const visibility = openVisibility(direct, systemClock, waiting);
      const settings = { connection, queries, slot, visibility, waiting };
      const failure = failureOf(createSlot(settings, stopping.signal));
      await untilTrue(() => proxy.setPresent('hold', new RegExp(holdAt)) > 0);
      stopping.abort();
      await Promise.all(cancelled);
      proxy.set('pass');
      expect(await failure).toMatchObject({ kind: 'closed' });
      await proxy.close();
      await direct.close();
      await writing.end();
    },
  );

  test('is refused if its name could end the statement', async () => {
    const failure = await failureOf(database.stream({ slot: `x"; DROP TABLE t; --'` }).prepare(neverAborted));
    expect(failure.message).toContain('is not a valid name');
  });
});

describe.skipIf(postgresPrograms.kind === 'missing')('a slot that falls behind', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;
  const slot = 'powersync_behind';

  beforeAll(async () => {
    postgres = await startPostgres({
      max_slot_wal_keep_size: '1MB',
      max_wal_size: '32MB',
      max_replication_slots: '1',
    });
    database = await openDatabase(postgres, 'CREATE TABLE t (id int PRIMARY KEY)');
  });

  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });

  test('reports how much room is left, and is lost in the end', async () => {
    const stream = database.stream({ slot });
    await stream.prepare(neverAborted);
    const state = await database.source.backlog(slot);
    expect(state).toMatchObject({ kind: 'ready', mostBytes: 1024 * 1024 });
    expect(state.safeBytes).toBeGreaterThan(0);
    await untilTrue(async () => {
      await database.sql('SELECT pg_switch_wal(); CHECKPOINT; CREATE TABLE IF NOT EXISTS u (); DROP TABLE u');
      return (await database.source.backlog(slot)).kind === 'lost';
    });
    expect(await failureOf(stream.prepare(neverAborted))).toMatchObject({
      kind: 'backlog-lost',
      code: 'SVC_S1146',
    });
    const follower = follow(database.source, stream);
    expect(await failureOf(follower.settled())).toMatchObject({ kind: 'backlog-lost', code: 'SVC_S1146' });
  });

  test('occupies a place: if none is free, the failure names the setting to change', async () => {
    const failure = await failureOf(database.stream({ slot: 'powersync_next' }).prepare(neverAborted));
    expect(failure).toMatchObject({
      kind: 'settings',
      message: expect.stringContaining('max_replication_slots'),
    });
  });
});
