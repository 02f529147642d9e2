import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../server/service/clock.ts';
import type { CopyPage } from '../../../../server/service/replication/source.ts';
import type { Clock } from '../../../../server/service/world.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { copied, eventually, follow, openDatabase, type TestDatabase } from './support.ts';

/** What is said after ten seconds is said after a tenth of one. */
const hurried: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) };

describe.skipIf(postgresPrograms.kind === 'missing')('with a standby that never answers', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;

  beforeAll(async () => {
    // Who asks for no standby is not kept waiting: the test itself.
    postgres = await startPostgres({ synchronous_standby_names: 'nobody', synchronous_commit: 'local' });
  });

  beforeEach(async () => {
    const setup = 'CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0)';
    database = await openDatabase(postgres, setup, {}, { clock: hurried });
    await postgres.query(`ALTER DATABASE ${database.name} SET synchronous_commit = on`);
  });

  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });

  /** Has an id, and ends without the standby. */
  const openTransaction = async () => {
    const session = await postgres.client(database.name);
    await session.query('BEGIN');
    const { rows } = await session.query<{ readonly xid: string }>('SELECT txid_current() AS xid');
    const waiting = `SELECT FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted AND transactionid::text = $1`;
    return {
      isWaitedFor: async () => (await postgres.query(waiting, [rows[0]?.xid])).length > 0,
      end: async () => {
        await session.query('ROLLBACK');
        await session.end();
      },
    };
  };

  test('what is committed but hidden when a slot begins is copied when it shows', async () => {
    const slot = 'powersync_hidden';
    const reasons: string[] = [];
    const onWaiting = (reason = 'no more') => void reasons.push(reason);
    const stream = database.stream({ slot, onWaiting });
    const table = await database.table('t');
    let pages: readonly CopyPage[] | undefined;
    const first = await openTransaction();
    const copying = stream.prepare().then(async () => {
      pages = await copied(stream, table);
    });
    // The slot waits twice for what is open. What begins and commits in the second round comes before it in the log.
    await eventually(first.isWaitedFor);
    const second = await openTransaction();
    await first.end();
    await eventually(second.isWaitedFor);
    const writing = await postgres.client(database.name);
    const committed = writing.query('UPDATE t SET n = 1');
    const hangs = `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    await eventually(async () => (await postgres.query(hangs)).length > 0);
    await second.end();

    const isSaid = () => reasons.some((reason) => reason.includes('synchronous_standby_names'));
    await eventually(async () => isSaid() || pages !== undefined);
    expect(pages).toBeUndefined();
    expect(await database.source.slotState(slot)).toMatchObject({ confirmed: expect.any(String) });
    // Marks do not hang.
    await database.source.mark();

    await postgres.query(`ALTER SYSTEM SET synchronous_standby_names = ''`);
    await postgres.query('SELECT pg_reload_conf()');
    await committed;
    await writing.end();
    await copying;
    expect(reasons.at(-1)).toBe('no more');
    expect(pages?.flatMap(({ rows }) => rows)).toEqual([{ id: 1n, n: 1n }]);
    const follower = follow(database.source, stream);
    expect(await follower.settled()).toEqual([]);
    await follower.stop();
  });
});
