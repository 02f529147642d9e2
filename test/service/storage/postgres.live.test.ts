import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import type { World } from '../../../server/service/ground/world.ts';
import { openDatabase } from '../../../server/service/storage/postgres/database.ts';
import { hashOf } from '../../../server/service/storage/postgres/hash.ts';
import { openPostgresStorage } from '../../../server/service/storage/postgres/storage.ts';
import { openWriteCheckpoints } from '../../../server/service/storage/postgres/writeCheckpoints.ts';
import type { Notice, Storage } from '../../../server/service/storage/storage.ts';
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
  usualBatch,
} from '../../support/processes/postgres.ts';
import { createManualClock } from '../../support/service/manualClock.ts';
import {
  activated,
  change,
  commit,
  compact,
  deploy,
  key,
  linesOf,
  positionAt,
  put,
  readAll,
  remove,
  todos,
  writerOf,
} from './contract/rig.ts';
import { describeStorage } from './contract.ts';

const tables = [
  ...['deployments', 'leases', 'tables', 'buckets', 'ops', 'current_rows', 'lookups', 'write_checkpoints'],
];

describe.skipIf(postgresPrograms.kind === 'missing')('a storage in PostgreSQL', () => {
  let postgres: TestPostgres;
  let client: Client;
  const opened: Storage[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    client = await postgres.client();
  });
  afterAll(async () => {
    await client.end();
    await postgres.stop();
  });

  const open = async (world: Partial<World> = {}, connection = postgres.connection(), batch = usualBatch) => {
    const storage = await openPostgresStorage(
      { ...connection, batch },
      { clock: systemClock, log: silentLog, ...world },
    );
    opened.push(storage);
    return storage;
  };
  const dispose = async () => {
    for (const storage of opened.splice(0)) await storage.close();
    // TRUNCATE is faster than creating the schema again.
    await client.query(`TRUNCATE ${tables.map((table) => `headwater.${table}`).join(', ')}`);
  };

  describeStorage('PostgreSQL', async () => ({ open, dispose }), 12);

  describe('that is cleared', () => {
    afterEach(dispose);

    const filled = async (world: Partial<World> = {}) => {
      const storage = await open(world);
      const { deployment, writer } = await activated(storage);
      await writer.write({ rows: [1, 2, 3].map((row) => change(row, [put(`${row}`, 'x')])) });
      await commit(writer, 2, deployment);
      await writer.release();
      return { storage, deployment };
    };
    const { signal } = new AbortController();

    test('does not rest if no client is served', async () => {
      let now = 0;
      let rests = (): void => {};
      const rested = new Promise<string>((resolve) => {
        rests = () => resolve('rests');
      });
      // Every step takes long.
      const steady = () => {
        now += 1_000;
        return now;
      };
      const clock = {
        now: steady,
        steady,
        sleep: (_: number, over?: AbortSignal) =>
          new Promise<void>((resolve) => {
            over?.addEventListener('abort', () => resolve());
            if (over === signal) rests();
          }),
      };
      const { deployment } = await filled();
      const storage = await open({ clock });
      const cleared = storage.clear(deployment, signal).then(() => 'is cleared');
      expect(await Promise.race([cleared, rested])).toBe('is cleared');
    });

    test('rests before each step if clients are served', async () => {
      const { storage, deployment } = await filled();
      let rests = 0;
      const rest = async () => {
        rests += 1;
      };
      await storage.clearParts(deployment, new Set(['x']), signal, rest);
      expect(rests).toBeGreaterThan(0);
      rests = 0;
      await storage.clear(deployment, signal, rest);
      expect(rests).toBeGreaterThan(0);
    });
  });

  describe('that has limits', () => {
    afterEach(dispose);

    test.each([
      ['rows', { maxRecordCount: 2 }, 3],
      ['bytes', { maxEstimatedSize: 16 }, 2],
    ])('stores a batch in several transactions, according to its %s', async (_, limits, transactions) => {
      const storage = await open({}, postgres.connection(), { ...usualBatch, ...limits });
      const { deployment, writer, reader } = await activated(storage);
      const rows = [1, 2, 3, 4, 5].map((row) => change(row, [put('a', String(row), '{}')]));
      const last = await writer.write({ rows });
      await commit(writer, 2, deployment);
      const lines = linesOf(await readAll(reader, last, ['a']));
      expect(lines.map(({ object_id }) => object_id)).toEqual(['1', '2', '3', '4', '5']);
      const found = await client.query('SELECT count(DISTINCT xmin::text)::int AS count FROM headwater.ops');
      expect(found.rows).toEqual([{ count: transactions }]);
    });

    test('writes unfinished batches together with their checkpoint, or earlier when they reach a limit', async () => {
      const storage = await open({}, postgres.connection(), { ...usualBatch, maxRecordCount: 4 });
      const { deployment, writer } = await activated(storage);
      const stored = async () => {
        const sql =
          'SELECT count(*)::int AS ops, count(DISTINCT xmin::text)::int AS transactions FROM headwater.ops';
        return (await client.query(sql)).rows[0];
      };
      const write = (...numbers: number[]) =>
        writer.write({ rows: numbers.map((row) => change(row, [put('a', String(row))])), goesOn: true });
      await write(1);
      await write(2, 3);
      expect(await stored()).toEqual({ ops: 0, transactions: 0 });
      await write(4);
      await expect.poll(stored).toEqual({ ops: 4, transactions: 1 });
      await write(5);
      await commit(writer, 2, deployment);
      expect(await stored()).toEqual({ ops: 5, transactions: 2 });
    });

    describe('and writes one batch while it accepts the next one', () => {
      const begin = async () => {
        const storage = await open({}, postgres.connection(), { ...usualBatch, maxRecordCount: 2 });
        const { deployment, writer, reader } = await activated(storage);
        const table = await writer.putTable(todos);
        const write = (...numbers: number[]) =>
          writer.write({
            rows: numbers.map((row) => change(row, [put('a', String(row))], { table: table.id })),
            progress: { ...table, progress: { copiedRows: numbers.at(-1) ?? 0 } },
            goesOn: true,
          });
        const copiedRows = async () => {
          const { rows } = await client.query<{ copied: number }>(
            `SELECT (progress::json->>'copiedRows')::int AS copied FROM headwater.tables`,
          );
          return rows[0]?.copied;
        };
        return { storage, deployment, writer, reader, table, write, copiedRows };
      };
      // Even a failed test must release the lock before the storage is closed, because closing waits for pending writes.
      afterEach(() => client.query('ROLLBACK'));
      /** Blocks all writes of operations until the transaction of this client ends. */
      const holdUp = async () => {
        await client.query('BEGIN');
        await client.query('LOCK TABLE headwater.ops IN EXCLUSIVE MODE');
      };

      test('in their order, and with no more progress than the stored rows have', async () => {
        const { deployment, writer, reader, table, write, copiedRows } = await begin();
        await holdUp();
        await write(1, 2);
        await write(3);
        expect(await writer.currentRows(table.id, [1, 2, 3, 4].map(key))).toEqual([
          ...[1, 2, 3].map((row) => expect.objectContaining({ key: key(row) })),
          undefined,
        ]);
        let isTaken = false;
        const third = write(4).then(() => {
          isTaken = true;
        });
        await expect.poll(waiting).toBe(1);
        expect(isTaken).toBe(false);
        expect(await copiedRows()).toBeNull();
        await client.query('ROLLBACK');
        await third;
        await write(5);
        await expect.poll(copiedRows).toBe(4);
        const { checkpoint } = await commit(writer, 2, deployment);
        expect(await copiedRows()).toBe(5);
        const lines = linesOf(await readAll(reader, checkpoint?.opId ?? 0, ['a']));
        expect(lines.map(({ object_id }) => object_id)).toEqual(['1', '2', '3', '4', '5']);
      });

      test('and fails in every later call if a batch cannot be written', async () => {
        const { storage, deployment, writer, table, write, copiedRows } = await begin();
        // PostgreSQL does not accept a zero byte in a text.
        const broken = [1, 2].map((row) => change(row, [put('\0', 'x')], { table: table.id }));
        await writer.write({ rows: broken, goesOn: true });
        const failure = await write(3, 4).catch((error: Error) => error.message);
        expect(failure).toContain('0x00');
        await expect(write(5)).rejects.toThrow(String(failure));
        await expect(commit(writer, 2, deployment)).rejects.toThrow(String(failure));
        await expect(writer.reset()).rejects.toThrow(String(failure));
        await writer.release();
        expect(await copiedRows()).toBeNull();
        const next = await writerOf(storage, deployment);
        expect(await next.currentRows(table.id, [1, 2, 3, 4, 5].map(key))).toEqual(Array(5).fill(undefined));
      });

      const waiting = async () => {
        const { rows } = await client.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'headwater.ops'::regclass`,
        );
        return rows[0]?.count;
      };
    });

    test('writes nothing more once its server was restored to an earlier state', async () => {
      const { deployment, writer } = await activated(await open());
      const { id: table } = await writer.putTable(todos);
      await writer.write({ rows: [change(1, [put('a', '1')], { table })] });
      await commit(writer, 2, deployment);
      // An older copy of the server has this number.
      await client.query('UPDATE headwater.deployments SET last_op = last_op - 1');
      const lost = { kind: 'lost' };
      await expect(commit(writer, 3, deployment)).rejects.toMatchObject(lost);
      await expect(writer.write({ rows: [change(2, [put('a', '2')], { table })] })).rejects.toMatchObject(
        lost,
      );
      await writer.release();
    });

    test('writes nothing more once it has lost an unfinished batch', async () => {
      const storage = await open();
      const { deployment, writer } = await activated(storage);
      // PostgreSQL does not accept a zero byte in a text.
      await writer.write({ rows: [change(1, [put('\0', 'x')])], goesOn: true });
      const failure = await commit(writer, 2, deployment).catch((error: Error) => error.message);
      await expect(commit(writer, 3, deployment)).rejects.toThrow(String(failure));
      await expect(writer.currentRows(1, [key(1)])).rejects.toThrow(String(failure));
      await expect(writer.tables()).rejects.toThrow(String(failure));
      await writer.release();
      const next = await writerOf(storage, deployment);
      expect(await next.currentRows(1, [key(1)])).toEqual([undefined]);
    });

    test('fetches large rows in several statements', async () => {
      const storage = await open({}, postgres.connection(), { ...usualBatch, maxCurrentDataBatchSize: 25 });
      const { writer } = await activated(storage);
      const valued = (row: number) => ({
        ...change(row, [put('a', String(row))]),
        current: { values: new Uint8Array(10).fill(row), memberships: [], lookups: [] },
      });
      await writer.write({ rows: [1, 2, 3, 4, 5, 6, 7].map(valued) });
      const found = await writer.currentRows(1, [7, 6, 9, 5, 4, 3, 2, 1].map(key));
      expect(found.map((row) => row?.values?.[0])).toEqual([7, 6, undefined, 5, 4, 3, 2, 1]);
    });
  });

  describe('that several processes share', () => {
    afterEach(dispose);

    /** Records the notices of the storage in their order. */
    const heard = (storage: Storage) => {
      const notices: Notice[] = [];
      storage.watch((notice) => notices.push(notice));
      return notices;
    };

    test('notifies all of them of changes', async () => {
      const [one, other] = [await open(), await open()];
      const notices = heard(other);
      const { deployment, writer } = await activated(one);
      await writer.write({ rows: [change(1, [put('a', 'x')], { lookups: [{ lookup: 'l', values: [] }] })] });
      const { checkpoint } = await commit(writer, 2, deployment);
      await expect.poll(() => notices).toHaveLength(2);
      expect(notices).toEqual([
        { deployment, checkpoint: { opId: 0, position: positionAt(1) }, activated: { revision: 0 } },
        { deployment, checkpoint, changed: { buckets: new Set(['a']), lookups: new Set(['l']) } },
      ]);
      const reader = other.reader(deployment);
      expect(await reader.checkpoint()).toEqual(checkpoint);
      expect(linesOf(await readAll(reader, checkpoint?.opId ?? 0, ['a']))).toHaveLength(1);
    });

    test('notifies the others of deployments at once', async () => {
      const [one, other] = [await open(), await open()];
      const calls: string[] = [];
      one.deployments.watch(() => calls.push('one'));
      other.deployments.watch(() => calls.push('other'));
      await deploy(one);
      await expect.poll(() => calls).toEqual(['other']);
      await activated(one);
      await expect.poll(() => calls).toEqual(['other', 'other', 'other']);
    });

    test.each([900, 15_000])('notifies others of %i buckets that one transaction changed', async (size) => {
      const [one, other] = [await open(), await open()];
      const [near, far] = [heard(one), heard(other)];
      const { deployment, writer } = await activated(one);
      const ops = Array.from({ length: size }, (_, index) => put(`bucket ${index}`, 'x'));
      await writer.write({ rows: [change(1, ops)] });
      await commit(writer, 2, deployment);
      await expect.poll(() => far).toHaveLength(2);
      expect(near[1]?.changed?.buckets.size).toBe(size);
      expect(far[1]).toEqual(near[1]);
    });

    test('notifies the others without names if there are too many', async () => {
      const [one, other] = [await open(), await open()];
      const far = heard(other);
      const { deployment, writer } = await activated(one);
      const name = 'a bucket with a long name, '.repeat(20);
      const ops = Array.from({ length: 4_000 }, (_, index) => put(`${name} ${index}`, 'x'));
      await writer.write({ rows: [change(1, ops)] });
      await commit(writer, 2, deployment);
      await expect.poll(() => far).toHaveLength(2);
      expect(far[1]).not.toHaveProperty('changed');
    });

    test('also uses the sign of life that another process asked for', async () => {
      const clock = createManualClock();
      const { link } = await open({ clock });
      await clock.advance(1_000);
      expect(link?.silence()).toBe(1);
      await client.query(`NOTIFY headwater_signs`);
      await expect.poll(() => link?.silence()).toBe(0);
    });

    test('sends signs of life from the process that replicates, so that others need not ask', async () => {
      const clock = createManualClock();
      await activated(await open({ clock }));
      const signs: string[] = [];
      client.on('notification', ({ channel }) => signs.push(channel));
      await client.query('LISTEN headwater_signs');
      await clock.advance(800);
      await expect.poll(() => signs).toContain('headwater_signs');
      await client.query('UNLISTEN headwater_signs');
    });

    test('repeats notices that may have been missed once a lost connection is back', async () => {
      const [one, other] = [await open(), await open()];
      const notices = heard(other);
      const { deployment } = await activated(one);
      await expect.poll(() => notices).toHaveLength(1);
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN headwater'`,
      );
      await expect.poll(() => notices).toHaveLength(2);
      // Another deployment may have become the active one meanwhile.
      expect(notices[1]).toEqual({
        deployment,
        checkpoint: { opId: 0, position: positionAt(1) },
        activated: { revision: 0 },
      });
    });

    describe('reports new write checkpoints', () => {
      const idOf = (storage: Storage, key: string) => storage.writeCheckpoints.idOf?.(key) ?? key;

      test('to each process, but none of them twice', async () => {
        const [one, other] = [await open(), await open()];
        const news = () => other.writeCheckpoints.news?.();
        await one.writeCheckpoints.create('before', positionAt(3));
        expect(await news()).toBeUndefined();
        await one.writeCheckpoints.create('u', positionAt(5));
        await one.writeCheckpoints.create('u', positionAt(7));
        await other.writeCheckpoints.request('v', 9n, positionAt(6), 0);
        const stored = (await news())?.filter(({ id }) => id !== idOf(one, 'before'));
        expect(stored?.toSorted((a, b) => (a.position < b.position ? -1 : 1))).toEqual([
          { id: idOf(one, 'v'), number: 9n, position: positionAt(6) },
          { id: idOf(one, 'u'), number: 2n, position: positionAt(7) },
        ]);
        expect(await news()).toEqual([]);
      });

      test('even if their transaction began before others and ends after them', async () => {
        const [one, other] = [await open(), await open()];
        const ids = async () => (await other.writeCheckpoints.news?.())?.map(({ id }) => id);
        await ids();
        await client.query('BEGIN');
        try {
          await client.query(`INSERT INTO headwater.write_checkpoints (hash, number, lsn, stored_by)
            VALUES ('${idOf(one, 'slow')}', 1, '${positionAt(5)}', txid_current())`);
          await one.writeCheckpoints.create('quick', positionAt(5));
          expect(await ids()).toEqual([idOf(one, 'quick')]);
          // However long the transaction takes, nothing is reported again.
          expect(await ids()).toEqual([]);
        } finally {
          await client.query('COMMIT');
        }
        expect(await ids()).toEqual([idOf(one, 'slow')]);
        expect(await ids()).toEqual([]);
      });

      test('or that they are unknown, if the server has started to count its transactions again', async () => {
        const answers = ['90:95:90,93', '7:7:', '8:9:8'].map((snapshot) => [{ snapshot, hash: null }]);
        const { news } = openWriteCheckpoints({
          run: async () => answers.shift() as never,
          transaction: () => Promise.reject(new Error('Not used')),
          close: async () => {},
        });
        expect([await news?.(), await news?.(), await news?.()]).toEqual([undefined, undefined, []]);
      });

      test('and the position at which one that is not reached will be reached', async () => {
        const storage = await open();
        const awaited: unknown[] = [];
        storage.writeCheckpoints.watchAwaited?.((...told) => awaited.push(told));
        await storage.writeCheckpoints.create('u', positionAt(5));
        const id = idOf(storage, 'u');
        await storage.writeCheckpoints.reached('u', positionAt(5));
        expect(awaited).toEqual([]);
        await storage.writeCheckpoints.reached('u', positionAt(4));
        await storage.writeCheckpoints.reachedAmong([id], positionAt(3));
        expect(awaited).toEqual([
          [id, positionAt(5)],
          [id, positionAt(5)],
        ]);
      });

      test('in a database that a former version has filled', async () => {
        const name = await postgres.createDatabase();
        const connection = postgres.connection({ database: name });
        await (
          await openPostgresStorage(
            { ...connection, batch: usualBatch },
            { clock: systemClock, log: silentLog },
          )
        ).close();
        // Version 0.2.0 leaves the database like this.
        const former = await postgres.client(name);
        await former.query(`ALTER TABLE headwater.write_checkpoints DROP COLUMN stored_by;
          ALTER TABLE headwater.deployments DROP COLUMN deployed_by;
          UPDATE headwater.version SET version = version - 2`);
        await former.query(`INSERT INTO headwater.write_checkpoints (hash, number, lsn) VALUES ($1, 7, $2)`, [
          hashOf('u'),
          positionAt(5),
        ]);
        await former.end();
        const storage = await open({}, connection);
        expect(await storage.writeCheckpoints.reached('u', positionAt(5))).toBe(7n);
        await storage.writeCheckpoints.news?.();
        expect(await storage.writeCheckpoints.create('u', positionAt(6))).toBe(8n);
        expect(await storage.writeCheckpoints.news?.()).toEqual([
          { id: hashOf('u'), number: 8n, position: positionAt(6) },
        ]);
      });
    });

    test('returns the same checksums for many clients at once as for each alone', async () => {
      const [one, other] = [await open(), await open()];
      const { deployment, writer } = await activated(one);
      const names = Array.from({ length: 60 }, (_, index) => `bucket ${index}`);
      const write = (round: number) =>
        writer.write({
          rows: names.map((name, row) => change(row, [put(name, `${row} in round ${round}`)])),
        });
      const early = await write(1);
      await commit(writer, 2, deployment);
      const late = await write(2);
      await commit(writer, 3, deployment);
      const questions = [early, late, late, early].flatMap((at) =>
        names.map((name) => [at, [name, 'bucket 7', 'not there']] as const),
      );
      const alone = one.reader(deployment);
      const expected: unknown[] = [];
      for (const [at, buckets] of questions) expected.push(await alone.checksums(at, buckets));
      const reader = other.reader(deployment);
      expect(await Promise.all(questions.map(([at, buckets]) => reader.checksums(at, buckets)))).toEqual(
        expected,
      );
    });

    test('returns correct checksums of a bucket that another process has compacted', async () => {
      const [one, other] = [await open(), await open()];
      const { deployment, writer } = await activated(one);
      const early = await writer.write({ rows: [change(1, [put('a', 'x'), put('a', 'y')])] });
      await commit(writer, 2, deployment);
      const reader = other.reader(deployment);
      await reader.checksums(early, ['a']);
      const late = await writer.write({
        rows: [change(1, [remove('a', 'x'), remove('a', 'y'), put('a', 'z')])],
      });
      await commit(writer, 3, deployment);
      const [before] = await one.reader(deployment).checksums(late, ['a']);
      await compact(one, deployment);
      expect(await reader.checksums(late, ['a'])).toEqual([{ ...before, count: 2 }]);
    });

    test('lets only one of them write for a deployment, until that one releases its writer', async () => {
      const [one, other] = [await open(), await open()];
      const { deployment, writer } = await activated(one);
      expect(await other.writer(deployment)).toBeUndefined();
      await writer.release();
      expect(await other.writer(deployment)).toBeDefined();
    });

    /** The world of a stopped process. */
    const stopped = {
      clock: { now: () => 0, steady: () => 0, sleep: () => new Promise<void>(() => undefined) },
    };
    const expire = () =>
      postgres.query(`UPDATE headwater.leases SET expires_at = expires_at - interval '5 seconds'`);

    test('gives the right to write to another process some seconds after the last sign of life', async () => {
      const [one, other] = [await open(stopped), await open()];
      const { deployment, writer } = await activated(one);
      await writer.write({ rows: [change(1, [put('a', 'x')])] });
      expect(await other.writer(deployment)).toBeUndefined();
      await expire();
      const next = await writerOf(other, deployment);
      expect([writer.hasTakenOver, next.hasTakenOver]).toEqual([false, true]);
      const lost = { kind: 'lost' };
      await expect(writer.write({ rows: [change(2, [put('a', 'y')])] })).rejects.toMatchObject(lost);
      await expect(commit(writer, 2, deployment)).rejects.toMatchObject(lost);
      await expect(writer.reset()).rejects.toMatchObject(lost);
      await expect(writer.demand()).rejects.toMatchObject(lost);
      const last = await next.write({ rows: [change(3, [put('a', 'z')])] });
      await commit(next, 2, deployment);
      const lines = linesOf(await readAll(other.reader(deployment), last, ['a']));
      expect(lines.map(({ object_id }) => object_id)).toEqual(['x', 'z']);
      // A late release does no harm to the process that has the right now.
      await writer.release();
      await next.demand();
    });

    test('does not give the right to write to another process while the writer deletes rows', async () => {
      const [one, other] = [await open(stopped), await open()];
      const { deployment, writer } = await activated(one);
      await writer.putTable(todos);
      await writer.write({ rows: [change(1, [put('a', 'x')])] });
      await client.query('BEGIN; SELECT FROM headwater.ops FOR UPDATE');
      const reset = writer.reset();
      const waiting = 'SELECT FROM pg_locks WHERE NOT granted';
      await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
      await expire();
      expect(await other.writer(deployment)).toBeUndefined();
      await client.query('COMMIT');
      await reset;
      await expect.poll(async () => (await other.writer(deployment))?.hasTakenOver).toBe(true);
    });

    test('takes the right to write from a process that hangs in the middle of a transaction', async () => {
      const [one, other] = [await open(stopped), await open()];
      const { deployment } = await activated(one);
      const still = openDatabase(postgres.connection(), { clock: systemClock });
      const hung = still.transaction(async (run) => {
        await run('SELECT FROM headwater.leases FOR KEY SHARE');
        return new Promise(() => undefined);
      });
      hung.catch(() => undefined);
      await expire();
      await expect.poll(async () => (await other.writer(deployment))?.hasTakenOver).toBe(true);
    });

    test('notifies a process that another one writes now', async () => {
      const [one, other] = [await open(), await open()];
      const { deployment, writer } = await activated(one);
      // Another process does this when the lease was not renewed.
      await client.query('UPDATE headwater.leases SET holder = gen_random_uuid()');
      await expect.poll(() => writer.lost?.aborted).toBe(true);
      expect(await other.writer(deployment)).toBeUndefined();
    });

    test('keeps renewing the right to write for some seconds', async () => {
      const storage = await open();
      await activated(storage);
      await client.query(`UPDATE headwater.leases SET expires_at = now() + interval '1 hour'`);
      const left = 'SELECT extract(epoch FROM expires_at - now())::float AS left FROM headwater.leases';
      await expect
        .poll(async () => (await client.query<{ left: number }>(left)).rows[0]?.left)
        .toBeLessThan(5);
    });

    test('is the same for two processes that start at once on an empty database', async () => {
      const name = await postgres.createDatabase();
      const connection = postgres.connection({ database: name });
      const [one, other] = await Promise.all([open({}, connection), open({}, connection)]);
      expect(one.instanceId).toBe(other.instanceId);
    });

    test('decides an activation by the checkpoint that the active deployment is publishing at the same time', async () => {
      const storage = await open();
      const { deployment: first } = await activated(storage);
      const second = await deploy(storage);
      const writer = await writerOf(storage, second);
      await writer.finishSnapshot(positionAt(5));
      await client.query('BEGIN');
      const publish = 'UPDATE headwater.deployments SET last_checkpoint_lsn = $1 WHERE id = $2';
      await client.query(publish, [positionAt(9), first]);
      const seen: unknown[] = [];
      const committed = writer.commit(positionAt(5), {
        activate: (records) => {
          seen.push(records.map(({ lastCheckpointPosition }) => lastCheckpointPosition));
          return [];
        },
        at: 1,
      });
      const waiting = 'SELECT FROM pg_locks WHERE NOT granted';
      await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
      await client.query('COMMIT');
      await committed;
      expect(seen).toEqual([[positionAt(9), positionAt(5)]]);
    });

    test('retries a transaction that conflicts with another one', async () => {
      const storage = await open();
      const deployment = await deploy(storage);
      const { clock, pauses } = impatientClock();
      const database = openDatabase(postgres.connection(), { clock });
      let attempts = 0;
      await database.transaction(async (run) => {
        attempts += 1;
        await run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        const [row] = await run<{ last_op: number }>(
          'SELECT last_op FROM headwater.deployments WHERE id = $1',
          [deployment],
        );
        if (attempts < 3)
          await client.query('UPDATE headwater.deployments SET last_op = last_op + 1 WHERE id = $1', [
            deployment,
          ]);
        await run('UPDATE headwater.deployments SET last_op = $1 WHERE id = $2', [
          (row?.last_op ?? 0) + 10,
          deployment,
        ]);
      });
      const [row] = await database.run<{ last_op: number }>('SELECT last_op FROM headwater.deployments');
      await database.close();
      expect([attempts, row?.last_op, pauses]).toEqual([3, 12, [10, 20]]);
    });

    test('retries a single statement that conflicts with a transaction', async () => {
      const storage = await open();
      const deployment = await deploy(storage);
      const { clock, pauses } = impatientClock();
      const { rows } = await client.query('SELECT current_database() AS name');
      const all = `ALTER DATABASE ${rows[0].name}`;
      const add = (count: number) =>
        `UPDATE headwater.deployments SET last_op = last_op + ${count} WHERE id = ${deployment}`;
      // A transaction with this isolation level fails after it has waited for another one, as after a deadlock.
      await client.query(`${all} SET default_transaction_isolation = 'repeatable read'`);
      const database = openDatabase(postgres.connection(), { clock });
      try {
        await client.query(`BEGIN; ${add(1)}`);
        const added = database.run(`${add(10)} RETURNING last_op`);
        const waiting = 'SELECT FROM pg_locks WHERE NOT granted';
        await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
        await client.query('COMMIT');
        expect([await added, pauses]).toEqual([[{ last_op: 11 }], [10]]);
      } finally {
        await client.query(`${all} RESET default_transaction_isolation`);
        await database.close();
      }
    });
  });

  describe('that cannot be used says why', () => {
    test.each([
      ['the password is wrong', { password: 'secret-1' }, 'not-writable', /password authentication failed/],
      ['there is no such database', { database: 'nowhere' }, 'not-writable', /no database "nowhere"/],
      ['nothing listens', { port: 1 }, 'unreachable', /Nothing listens at 127\.0\.0\.1:1/],
    ])('when %s', async (_, changes, kind, message) => {
      const failure = await open({}, postgres.connection(changes)).catch((error: unknown) => error);
      expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) });
      expect(String(failure)).not.toContain('secret-1');
    });

    test('when a newer version made it', async () => {
      const name = await postgres.createDatabase();
      const connection = postgres.connection({ database: name });
      await (await open({}, connection)).close();
      await postgres.query('UPDATE headwater.version SET version = 99', [], name);
      const newer = { kind: 'newer', message: expect.stringContaining('newer version') };
      await expect(open({}, connection)).rejects.toMatchObject(newer);
    });

    test('waits for a connection if the server has no more of them', async () => {
      const own = await startPostgres({ max_connections: '12' });
      try {
        const others = await Promise.all(Array.from({ length: 10 }, () => own.client()));
        const database = openDatabase({ ...own.connection(), maxPoolSize: 8 }, { clock: systemClock });
        const all = Array.from({ length: 8 }, (_, n) =>
          database.run<{ n: number }>('SELECT $1::int AS n FROM pg_sleep(0.2)', [n]),
        );
        const answers = await Promise.all(all);
        expect(answers.map(([row]) => row?.n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
        await database.close();
        await Promise.all(others.map((each) => each.end()));
      } finally {
        await own.stop();
      }
    });

    test('when the server is gone, and can be used again when it is back', async () => {
      const own = await startPostgres();
      try {
        const storage = await open({}, own.connection());
        const { deployment, writer } = await activated(storage);
        const last = await writer.write({ rows: [change(1, [put('a', 'x')])] });
        await own.halt();
        const gone = { name: 'Error', message: expect.stringContaining('Storage: ') };
        await expect(writer.write({ rows: [change(2, [put('a', 'y')])] })).rejects.toMatchObject(gone);
        await expect(storage.deployments.all()).rejects.toMatchObject({ kind: 'unreachable' });
        await own.resume();
        expect((await commit(writer, 2, deployment)).checkpoint?.opId).toBe(last);
        await storage.close();
      } finally {
        await own.stop();
      }
    });

    test('when a connection breaks between two statements of a transaction', async () => {
      const own = await startPostgres();
      const opened = openDatabase(own.connection(), { clock: systemClock });
      try {
        const broken = opened.transaction(async (run) => {
          const [{ pid } = { pid: 0 }] = await run<{ pid: number }>('SELECT pg_backend_pid() AS pid');
          await own.query('SELECT pg_terminate_backend($1)', [pid]);
          const others = () => own.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]);
          await expect.poll(others).toEqual([]);
          return run('SELECT 1');
        });
        await expect(broken).rejects.toMatchObject({ kind: 'unreachable' });
        expect(await opened.run('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      } finally {
        await opened.close();
        await own.stop();
      }
    });

    test('when it is closed', async () => {
      const storage = await open();
      await storage.close();
      await storage.close();
      await expect(storage.deployments.all()).rejects.toMatchObject({ kind: 'closed' });
    });
  });
});

/** A clock on which time passes only during sleeps. */
function impatientClock() {
  const pauses: number[] = [];
  const now = () => pauses.reduce((sum, pause) => sum + pause, 0);
  const sleep = async (ms: number) => {
    pauses.push(ms);
  };
  return { clock: { now, steady: now, sleep }, pauses };
}
