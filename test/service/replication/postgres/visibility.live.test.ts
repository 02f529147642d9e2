import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import type { Clock } from '../../../../server/service/ground/world.ts';
import type { CopyPage } from '../../../../server/service/replication/source.ts';
import { untilTrue } from '../../../support/house/eventually.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { createMemorySource } from '../../../support/service/memorySource.ts';
import { createReplicating } from '../../../support/service/replication.ts';
import { copied, follow, neverAborted, openDatabase, type TestDatabase } from './support.ts';

/** A clock that is a hundred times as fast, so that a report after ten seconds comes after a tenth of a second. */
const hurried: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) };

const config = `config:
  edition: 3
streams:
  all:
    auto_subscribe: true
    query: SELECT id, n FROM t
`;

describe.skipIf(postgresPrograms.kind === 'missing')('with a standby that never answers', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;

  beforeEach(async () => {
    // The test itself must not wait for a standby, so its commits are local.
    postgres = await startPostgres({ synchronous_standby_names: 'nobody', synchronous_commit: 'local' });
    const setup = 'CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0)';
    database = await openDatabase(postgres, setup, {}, { clock: hurried });
    await postgres.query(`ALTER DATABASE ${database.name} SET synchronous_commit = on`);
  });

  afterEach(async () => {
    await database.close();
    await postgres.stop();
  });

  const showAll = async () => {
    await postgres.query(`ALTER SYSTEM SET synchronous_standby_names = ''`);
    await postgres.query('SELECT pg_reload_conf()');
  };

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

  /** Commits n = 1 before the beginning of the slot that `makeSlot` creates. No session sees the commit before `show`. */
  const hideUpdate = async (makeSlot: () => void) => {
    const first = await openTransaction();
    makeSlot();
    // The copy waits twice for open transactions. A transaction that begins and commits in the second round is before
    // the beginning of the slot in the log.
    await untilTrue(first.isWaitedFor);
    const second = await openTransaction();
    await first.end();
    await untilTrue(second.isWaitedFor);
    const writing = await postgres.client(database.name);
    const committed = writing.query('UPDATE t SET n = 1');
    const hanging = `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    await untilTrue(async () => (await postgres.query(hanging)).length > 0);
    await second.end();
    return {
      show: async () => {
        await showAll();
        await committed;
        await writing.end();
      },
    };
  };

  test('a copy waits for commits from before the beginning of its slot, and reports this', async () => {
    const slot = 'powersync_hidden';
    const reasons: string[] = [];
    const onWaiting = (reason = 'no more') => void reasons.push(reason);
    const stream = database.stream({ slot, onWaiting });
    const table = await database.table('t');
    let pages: readonly CopyPage[] | undefined;
    let copying: Promise<void> | undefined;
    const { show } = await hideUpdate(() => {
      copying = stream.prepare(neverAborted).then(async () => {
        pages = await copied(stream, table);
      });
    });
    const isSaid = () => reasons.some((reason) => reason.includes('synchronous_standby_names'));
    await untilTrue(async () => isSaid() || pages !== undefined);
    expect(pages).toBeUndefined();
    expect(await database.source.backlog(slot)).toMatchObject({ kind: 'ready' });
    // Marks do not hang.
    await database.source.mark();

    await show();
    await copying;
    expect(reasons.at(-1)).toBe('no more');
    expect(pages?.flatMap(({ rows }) => rows)).toEqual([{ id: 1n, n: 1n }]);
    const follower = follow(database.source, stream);
    expect(await follower.settled()).toEqual([]);
    await follower.stop();
  });

  test('a waiting stream ends at once when it is stopped', async () => {
    const stream = database.stream({ slot: 'powersync_ended' });
    await stream.prepare(neverAborted);
    const follower = follow(database.source, stream);
    const writing = await postgres.client(database.name);
    const committed = writing.query('INSERT INTO t VALUES (2, 0)');
    await untilTrue(async () => follower.events.some(({ kind }) => kind === 'begin'));
    await follower.stop();
    expect(follower.events.map(({ kind }) => kind)).not.toContain('table');
    await showAll();
    await committed;
    await writing.end();
  });

  test('a service that stops while it waits continues to wait after its restart', async () => {
    const source = { ...createMemorySource(), ...database.source };
    const { deployer, deployment, start, stop, until, replicator, buckets } = createReplicating({
      source,
    });
    await deployer.deploy(config);
    const { show } = await hideUpdate(start);
    const reason = () => replicator.status()[0]?.progress.waitingFor ?? '';
    await until(() => reason().includes('synchronous_standby_names'), 'the reason');
    await stop();
    expect(await source.backlog(deployment(1).deploymentName)).toMatchObject({ kind: 'ready' });

    start();
    const isActive = () => deployment(1).state === 'active';
    await until(() => reason().includes('pg_prepared_xacts') || isActive(), 'the reason, again');
    await show();
    await until(isActive, 'the deployment to be active');
    expect(buckets()).toEqual({ '1#all|0[]': ['{"id":1,"n":1}'] });
    await stop();
  });
});
