import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { patient } from '../../../../scripts/run/patience.ts';
import type { CopyPage } from '../../../../server/service/replication/source.ts';
import type { CopyProgress } from '../../../../server/service/storage/storage.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { failureOf, openDatabase, type TestDatabase } from './support.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('a copy of a table of Postgres', () => {
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

  const pagesOf = async (
    name: string,
    progress?: CopyProgress,
    signal = new AbortController().signal,
  ): Promise<CopyPage[]> => {
    const pages: CopyPage[] = [];
    const table = await database.table(name);
    for await (const page of database.stream().copy(table, progress, signal)) pages.push(page);
    return pages;
  };
  const idsOf = (pages: readonly CopyPage[]) => pages.flatMap(({ rows }) => rows.map(({ id }) => id));

  test('comes in pages of 500 rows, in the order of the key, and ends with a position', async () => {
    await database.sql(`CREATE TABLE a (id int PRIMARY KEY);
      INSERT INTO a SELECT i FROM generate_series(25000, 1, -1) i; ANALYZE a`);
    const before = await database.source.position();
    const pages = await pagesOf('a');
    expect(pages.map(({ rows }) => rows.length)).toEqual([...Array(50).fill(500), 0]);
    expect(idsOf(pages)).toEqual(Array.from({ length: 25_000 }, (_, at) => BigInt(at + 1)));
    const counts = [...Array.from({ length: 50 }, (_, at) => (at + 1) * 500), 25_000];
    expect(pages.map(({ progress }) => progress)).toEqual(
      counts.map((count) => ({ copiedRows: count, estimatedRows: 25_000, lastKey: String(count) })),
    );
    const positions = pages.map(({ position }) => position);
    expect(positions.slice(0, -1)).toEqual(Array(50).fill(undefined));
    expect((positions.at(-1) ?? '') >= before).toBe(true);
  });

  test('marks pages that show the same state as the previous page, because one statement has read both', async () => {
    const pages = await pagesOf('a');
    const first = pages.flatMap(({ isOfSameState }, at) => (isOfSameState === true ? [] : [at]));
    // The first pages of statements, which read 10,000 rows each, and the end.
    expect(first).toEqual([0, 20, 40, 50]);
  });

  test('continues after the last key', async () => {
    const pages = await pagesOf('a', { copiedRows: 20_000, lastKey: '20000' });
    expect(idsOf(pages)[0]).toBe(20_001n);
    expect(pages.at(-1)?.progress.copiedRows).toBe(25_000);
  });

  test('continues after keys with any text, in the order of the database', async () => {
    const keys = ["it's", 'back\\slash', 'tab\there', 'Ä', 'a', 'A', '🐈', '', 'new\nline', '\\N', '$1'];
    await database.sql('CREATE TABLE b (id text COLLATE "en-x-icu" PRIMARY KEY)');
    await database.sql('INSERT INTO b SELECT unnest($1::text[])', [keys]);
    const ordered = idsOf(await pagesOf('b'));
    expect(new Set(ordered)).toEqual(new Set(keys));
    expect(ordered).not.toEqual([...keys].sort());
    for (const [at, key] of ordered.entries()) {
      const rest = await pagesOf('b', { copiedRows: at + 1, lastKey: String(key) });
      expect(idsOf(rest)).toEqual(ordered.slice(at + 1));
    }
  });

  test('of an empty table is one page with a position', async () => {
    await database.sql('CREATE TABLE c (id uuid PRIMARY KEY)');
    const pages = await pagesOf('c');
    expect(pages).toEqual([
      { rows: [], failed: [], progress: { copiedRows: 0 }, position: expect.any(String) },
    ]);
  });

  test('of a table with several key columns starts again instead of continuing', async () => {
    await database.sql(`CREATE TABLE d (id int, part int, PRIMARY KEY (id, part));
      INSERT INTO d SELECT i, 0 FROM generate_series(1, 12000) i`);
    const pages = await pagesOf('d', { copiedRows: 10_000 });
    expect(pages.map(({ rows }) => rows.length)).toEqual([...Array(24).fill(500), 0]);
    expect(pages.at(0)?.progress).toEqual({ copiedRows: 500 });
    expect(pages.at(-1)?.progress).toEqual({ copiedRows: 12_000 });
  });

  test('of a table whose only column is its identity has its NULLs and its equal rows', async () => {
    await database.sql(`CREATE TABLE e (id int); ALTER TABLE e REPLICA IDENTITY FULL;
      INSERT INTO e SELECT NULLIF(i % 3, 0) FROM generate_series(1, 12000) i`);
    const ids = idsOf(await pagesOf('e'));
    expect(ids.filter((id) => id === null)).toHaveLength(4000);
    expect(ids).toHaveLength(12_000);
  });

  test('has no rows of tables that inherit from its table', async () => {
    await database.sql(`CREATE TABLE f (id int PRIMARY KEY); CREATE TABLE f_child () INHERITS (f);
      INSERT INTO f VALUES (1); INSERT INTO f_child VALUES (2)`);
    expect(idsOf(await pagesOf('f'))).toEqual([1n]);
  });

  test('has the columns and rows of the log', async (context) => {
    if (postgres.major < 15) return context.skip();
    await database.sql(`CREATE TABLE g (id int PRIMARY KEY, shown text, hidden text,
        twice text GENERATED ALWAYS AS (shown || shown) STORED);
      INSERT INTO g VALUES (1, 'a', 'b'), (2, 'c', 'd');
      DROP PUBLICATION powersync; CREATE PUBLICATION powersync FOR TABLE g (id, shown) WHERE (id > 1)`);
    const [page] = await pagesOf('g');
    await database.sql('ALTER PUBLICATION powersync SET TABLE g');
    const [whole] = await pagesOf('g');
    await database.sql('DROP PUBLICATION powersync; CREATE PUBLICATION powersync FOR ALL TABLES');
    expect(page?.rows).toEqual([{ id: 2n, shown: 'c' }]);
    expect(whole?.rows[0]).toEqual({ id: 1n, shown: 'a', hidden: 'b' });
  });

  test('has generated columns if the publication has them', async (context) => {
    if (postgres.major < 18) return context.skip();
    await database.sql(`CREATE TABLE g2 (a int, twice int GENERATED ALWAYS AS (a * 2) STORED);
      ALTER TABLE g2 REPLICA IDENTITY FULL; INSERT INTO g2 VALUES (1);
      ALTER PUBLICATION powersync SET (publish_generated_columns = stored)`);
    const [page] = await pagesOf('g2');
    const { identity } = await database.table('g2');
    await database.sql('ALTER PUBLICATION powersync SET (publish_generated_columns = none)');
    expect(page?.rows).toEqual([{ a: 1n, twice: 2n }]);
    expect(identity.map(({ name }) => name)).toEqual(['a', 'twice']);
  });

  test('leaves out a row that is too large, reports it, and continues with the next row', async () => {
    const size = 16 * 1024 * 1024;
    await database.sql(`CREATE TABLE h (id int PRIMARY KEY, body text);
      INSERT INTO h VALUES (1, 'a'), (2, repeat('x', ${size})), (3, 'c')`);
    const pages = await pagesOf('h');
    expect(idsOf(pages)).toEqual([1n, 3n]);
    expect(pages.flatMap(({ failed }) => failed)).toEqual([
      { identity: { id: 2n }, message: expect.stringContaining('[SVC_S1002] The row is too large') },
    ]);
  });

  test('has smaller pages if rows are large', async () => {
    await database.sql(`CREATE TABLE i (id int PRIMARY KEY, body text);
      INSERT INTO i SELECT i, repeat('x', 1000000) FROM generate_series(1, 30) i`);
    const sizes = (await pagesOf('i')).map(({ rows }) => rows.length);
    expect(sizes).toEqual([...Array(10).fill(3), 0]);
  });

  test('ends without an error when it is aborted', async () => {
    const abort = new AbortController();
    const seen: CopyPage[] = [];
    for await (const page of database.stream().copy(await database.table('a'), undefined, abort.signal)) {
      seen.push(page);
      abort.abort();
    }
    expect(seen).toHaveLength(1);
  });

  test('of a table that was dropped fails with the message of the database', async () => {
    await database.sql('CREATE TABLE j (id int PRIMARY KEY)');
    const table = await database.table('j');
    await database.sql('DROP TABLE j');
    const copy = database.stream().copy(table, undefined, new AbortController().signal);
    const failure = await failureOf(copy[Symbol.asyncIterator]().next());
    expect(failure).toMatchObject({
      kind: 'other',
      message: expect.stringContaining('"public.j" does not exist'),
    });
  });

  test('fails when the database is silent for longer than the config allows', async () => {
    const hasty = await openDatabase(postgres, '', { snapshotSocketTimeoutSeconds: patient(300) / 1000 });
    onTestFinished(() => hasty.close());
    await hasty.sql(`CREATE TABLE k (id int PRIMARY KEY);
      INSERT INTO k SELECT generate_series(1, 20000)`);
    const table = await hasty.table('k');
    const pages = hasty.stream().copy(table, undefined, new AbortController().signal)[Symbol.asyncIterator]();
    await pages.next();
    const locking = await postgres.client(hasty.name);
    await locking.query('BEGIN; LOCK TABLE k');
    // The rows that the running statement has already read still arrive.
    const drained = async () => {
      while ((await pages.next()).done !== true);
    };
    const failure = await failureOf(drained());
    expect(failure).toMatchObject({ kind: 'unreachable', code: 'SVC_S1121' });
    await locking.end();
  });

  test('can read single rows again by their keys', async () => {
    await database.sql(`CREATE TABLE l (id text PRIMARY KEY, n int);
      INSERT INTO l SELECT 'k''' || i, i FROM generate_series(1, 3000) i`);
    const keys = Array.from({ length: 2500 }, (_, at) => `k'${at + 1}`);
    const table = await database.table('l');
    const rows = await database.stream().refetch(table, [...keys, 'none'], new AbortController().signal);
    expect(rows).toHaveLength(2500);
    expect(rows.find(({ id }) => id === "k'7")).toEqual({ id: "k'7", n: 7n });
    const numbers = await database
      .stream()
      .refetch(await database.table('a'), [7n, -1n], new AbortController().signal);
    expect(numbers).toEqual([{ id: 7n }]);
  });
});
