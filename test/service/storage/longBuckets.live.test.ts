/**
 * The amount that the server reads for each use of a storage. The server may be wrong about the number of rows in a bucket:
 * without statistics, or if there were many small buckets when it made them. No statement may read an entire bucket for a part
 * of it.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import { openPostgresStorage } from '../../../server/service/storage/postgres/storage.ts';
import type { Storage } from '../../../server/service/storage/storage.ts';
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
  usualBatch,
} from '../../support/processes/postgres.ts';
import { activated, change, commit, compact, put, readAll, todos } from './contract/rig.ts';

const rows = 20_000;
/** How often each may be read; all of them with each step would be 20 times. */
const mostReads = 10;

describe.skipIf(postgresPrograms.kind === 'missing')('the server reads of a long bucket', () => {
  let postgres: TestPostgres;
  const opened: Storage[] = [];
  beforeAll(async () => {
    postgres = await startPostgres({ autovacuum: 'off' });
  });
  afterAll(() => postgres.stop());
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close();
  });

  const open = async (database: string) => {
    const storage = await openPostgresStorage(
      { ...postgres.connection({ database }), batch: usualBatch },
      { clock: systemClock, log: silentLog },
    );
    opened.push(storage);
    return storage;
  };
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

  /** Index entries and rows that are read meanwhile. */
  const readsOf = async (database: string, work: (storage: Storage) => Promise<unknown>) => {
    const sql = `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)::int AS entries,
      (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)::int AS rows,
      (SELECT count(*) FROM pg_stat_activity WHERE application_name = 'headwater')::int AS connections`;
    // A connection reports its reads when it ends.
    const read = async () => {
      let found = { entries: 0, rows: 0 };
      await expect
        .poll(async () => {
          const [row] = await postgres.query<typeof found & { connections: number }>(sql, [], database);
          found = row ?? found;
          return row?.connections;
        })
        .toBe(0);
      return found.entries + found.rows;
    };
    const before = await read();
    const storage = await open(database);
    await work(storage);
    await storage.close();
    return (await read()) - before;
  };

  test.each([
    ['without statistics', undefined],
    [
      'where it takes each bucket for a small one',
      'ANALYZE headwater.ops, headwater.buckets, headwater.lookups',
    ],
  ])('each operation a few times, %s', async (_, analyze) => {
    const database = await postgres.createDatabase();
    const storage = await open(database);
    const { deployment, writer } = await activated(storage);
    const { id: table } = await writer.putTable(todos);
    const write = async (numbers: readonly number[], bucketOf: (n: number) => string, at: number) => {
      const changes = numbers.map((n) => {
        const lookups = [{ lookup: `a[${n}]`, values: [[`${n}`]] }];
        return change(n, [put(bucketOf(n), String(n), `{"at":${at}}`)], { table, lookups });
      });
      await writer.write({ rows: changes });
      return (await commit(writer, at, deployment)).checkpoint?.opId ?? 0;
    };
    await write(numbers(rows / 10), (n) => `small[${n}]`, 2);
    if (analyze !== undefined) await postgres.query(analyze, [], database);
    await write(numbers(rows), () => 'long[]', 3);
    const last = await write(numbers(rows), () => 'long[]', 4);
    await storage.close();
    const operations = 2 * rows;

    const reads = await readsOf(database, (own) => readAll(own.reader(deployment), last, ['long[]']));
    expect(reads / operations).toBeLessThan(mostReads);
    const compacting = await readsOf(database, (own) => compact(own, deployment));
    expect(compacting / operations).toBeLessThan(mostReads);
    const asked = numbers(1_000).map((n) => `a[${n}]`);
    const lookingUp = await readsOf(database, (own) => own.reader(deployment).lookups(last, asked, 10_000));
    expect(lookingUp / asked.length).toBeLessThan(mostReads);
    const stored = await readsOf(database, async (own) => {
      let after: string | undefined;
      do after = (await own.stored(deployment).rowsAfter(table, after)).at(-1)?.key;
      while (after !== undefined);
    });
    expect(stored / rows).toBeLessThan(mostReads);
    const { signal } = new AbortController();
    const clearing = await readsOf(database, (own) => own.clear(deployment, signal));
    expect(clearing / operations).toBeLessThan(mostReads);
    const left = 'SELECT count(*)::int AS count FROM headwater.ops';
    expect(await postgres.query(left, [], database)).toEqual([{ count: 0 }]);
  });
});
