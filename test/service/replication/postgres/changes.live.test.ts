import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeEvent, SourceStream } from '../../../../server/service/replication/source.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { type Follower, follow, neverAborted, openDatabase, type TestDatabase } from './support.ts';

/** A value that is too large to be stored in the row itself, and cannot be compressed. */
const large = `(SELECT string_agg(md5(i::text), '') FROM generate_series(1, 400) i)`;

describe.skipIf(postgresPrograms.kind === 'missing')('changes of Postgres', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;
  let stream: SourceStream;
  let follower: Follower;

  beforeAll(async () => {
    postgres = await startPostgres();
    database = await openDatabase(postgres);
    stream = database.stream({ patterns: ['public.%', 'other.wanted'] });
    await stream.prepare(neverAborted);
    follower = follow(database.source, stream);
  });

  afterAll(async () => {
    await follower.stop();
    await database.close();
    await postgres.stop();
  });

  /** Returns the events of the statements as text, one line for each. */
  const changesOf = async (sql: string): Promise<string[]> => {
    await database.sql(sql);
    return (await follower.settled()).map(draw);
  };
  /** Returns the events without the introductions of tables, which Postgres may repeat at any time. */
  const rowsOf = async (sql: string) => (await changesOf(sql)).filter((line) => !line.startsWith('table'));
  const firstUpdate = async (sql: string) => {
    await database.sql(sql);
    const update = (await follower.settled()).find(({ kind }) => kind === 'update');
    if (update?.kind !== 'update') throw new Error('There is no update');
    return update;
  };

  test('come in transactions, with the time of the commit and the position of its end', async () => {
    const before = Date.now();
    const start = await database.source.position();
    await database.sql('CREATE TABLE a (id int PRIMARY KEY, name text); INSERT INTO a VALUES (1, NULL)');
    const events = await follower.settled();
    expect(events.map(draw)).toEqual([
      'begin',
      'table a (id int4) default',
      'insert id=1 name=null',
      'commit',
    ]);
    const [begin, , , commit] = events;
    expect(begin?.kind === 'begin' && begin.at).toBeGreaterThanOrEqual(before - 1);
    expect(begin?.kind === 'begin' && begin.at).toBeLessThanOrEqual(Date.now() + 1);
    expect(commit?.kind === 'commit' && commit.position > start).toBe(true);
    expect(commit?.kind === 'commit' && commit.position <= (await database.source.position())).toBe(true);
  });

  test('of a row that keeps its key have no old key', async () => {
    await changesOf(`CREATE TABLE b (id int PRIMARY KEY, name text); INSERT INTO b VALUES (1, 'x')`);
    expect(await rowsOf(`UPDATE b SET name = 'y'`)).toEqual(['begin', 'update id=1 name=y', 'commit']);
  });

  test('that change a key have the old key', async () => {
    await changesOf(`CREATE TABLE c (id int PRIMARY KEY, name text); INSERT INTO c VALUES (1, 'x')`);
    expect(await changesOf('UPDATE c SET id = 2')).toContain('update id=2 name=x, was id=1');
  });

  test('that delete a row have its key', async () => {
    await changesOf(`CREATE TABLE d (b text, a int, PRIMARY KEY (a, b)); INSERT INTO d VALUES ('x', 1)`);
    expect(await changesOf('DELETE FROM d')).toContain('delete b=x a=1');
  });

  test('that were rolled back, entirely or to a savepoint, are not sent', async () => {
    await changesOf('CREATE TABLE e (id int PRIMARY KEY)');
    const sql = `BEGIN; INSERT INTO e VALUES (1); ROLLBACK;
      BEGIN; INSERT INTO e VALUES (2); SAVEPOINT s; INSERT INTO e VALUES (3); ROLLBACK TO s; COMMIT`;
    expect(await changesOf(sql)).toEqual(['begin', 'table e (id int4) default', 'insert id=2', 'commit']);
  });

  test('leave out large unchanged values, and name their columns', async () => {
    await changesOf(
      `CREATE TABLE f (id int PRIMARY KEY, body text, n int); INSERT INTO f VALUES (1, ${large}, 0)`,
    );
    expect(await changesOf('UPDATE f SET n = 1')).toContain('update id=1 n=1, unchanged body');
  });

  test('of a table with full identity have the entire old row, including large values', async () => {
    await changesOf(
      `CREATE TABLE g (body text, n int); ALTER TABLE g REPLICA IDENTITY FULL; INSERT INTO g VALUES (${large}, 0)`,
    );
    const update = await firstUpdate('UPDATE g SET n = 1');
    expect(update.row.unchanged).toBeUndefined();
    expect(String(update.row.values.body)).toHaveLength(400 * 32);
    expect(update.old).toEqual({ body: update.row.values.body, n: 0n });
  });

  test('of a row with a large unchanged key have the key', async () => {
    await changesOf(
      `CREATE TABLE g2 (id text PRIMARY KEY, n int);
       ALTER TABLE g2 ALTER COLUMN id SET STORAGE EXTERNAL;
       INSERT INTO g2 SELECT string_agg(md5(i::text), ''), 0 FROM generate_series(1, 80) i`,
    );
    const update = await firstUpdate('UPDATE g2 SET n = 1');
    expect(String(update.row.values.id)).toHaveLength(80 * 32);
  });

  test('of a table whose identity is an index have the key columns of the index', async () => {
    await changesOf(
      `CREATE TABLE h (id int PRIMARY KEY, code text NOT NULL, n int);
       CREATE UNIQUE INDEX h_code ON h (code) INCLUDE (n); ALTER TABLE h REPLICA IDENTITY USING INDEX h_code`,
    );
    expect(await changesOf(`INSERT INTO h VALUES (1, 'x', 0); UPDATE h SET code = 'y'`)).toEqual([
      ...['begin', 'table h (code text) index', 'insert id=1 code=x n=0'],
      ...['update id=1 code=y n=0, was code=x', 'commit'],
    ]);
  });

  test('of a table without identity are only inserts and truncates', async () => {
    await changesOf('CREATE TABLE i (n int); ALTER TABLE i REPLICA IDENTITY NOTHING');
    expect(await changesOf('INSERT INTO i VALUES (1); TRUNCATE i')).toEqual([
      ...['begin', 'table i () nothing', 'insert n=1', 'table i () nothing', 'truncate i', 'commit'],
    ]);
    await expect(database.sql('INSERT INTO i VALUES (2); DELETE FROM i')).rejects.toThrow('replica identity');
  });

  test('that truncate tables name all of them', async () => {
    await changesOf(
      `CREATE TABLE parent (id int PRIMARY KEY); CREATE TABLE child (id int PRIMARY KEY REFERENCES parent);
       INSERT INTO parent VALUES (1)`,
    );
    expect(await changesOf('TRUNCATE parent CASCADE')).toContain('truncate parent child');
  });

  test('of partitions have the names of the partitions', async () => {
    const sql = `CREATE TABLE part (id int PRIMARY KEY) PARTITION BY RANGE (id);
      CREATE TABLE part_low PARTITION OF part FOR VALUES FROM (0) TO (10);
      CREATE TABLE part_high PARTITION OF part FOR VALUES FROM (10) TO (20);
      INSERT INTO part VALUES (1)`;
    expect(await changesOf(sql)).toContain('table part_low (id int4) default');
    // A row that moves to another partition is deleted and inserted again.
    expect(await rowsOf('UPDATE part SET id = 11')).toEqual([
      'begin',
      'delete id=1',
      'insert id=11',
      'commit',
    ]);
  });

  test('of tables that no pattern matches only introduce the table', async () => {
    const sql = `CREATE SCHEMA other; CREATE TABLE other.wanted (id int PRIMARY KEY);
      CREATE TABLE other.unwanted (id int PRIMARY KEY);
      INSERT INTO other.unwanted VALUES (1); INSERT INTO other.wanted VALUES (1)`;
    const names = (await changesOf(sql)).filter((line) => /^(table|insert)/.test(line));
    expect(names).toEqual([
      ...['table unwanted (id int4) default', 'table wanted (id int4) default', 'insert id=1'],
    ]);
  });

  test('of a table with a new definition follow its new introduction', async () => {
    await changesOf('CREATE TABLE j (id int PRIMARY KEY, n int); INSERT INTO j VALUES (1, 1)');
    const sql = (change: string) => `${change}; INSERT INTO j VALUES ((SELECT max(id) + 1 FROM j), 0)`;
    const introduced = async (change: string) => (await changesOf(sql(change))).slice(1, 3);
    expect(await introduced('ALTER TABLE j ADD COLUMN t text DEFAULT 5')).toEqual([
      ...['table j (id int4) default', 'insert id=2 n=0 t=5'],
    ]);
    expect(await introduced('ALTER TABLE j DROP COLUMN t')).toEqual([
      ...['table j (id int4) default', 'insert id=3 n=0'],
    ]);
    expect(await introduced('ALTER TABLE j RENAME n TO m')).toEqual([
      ...['table j (id int4) default', 'insert id=4 m=0'],
    ]);
    expect(await introduced('ALTER TABLE j ALTER COLUMN id TYPE int8')).toEqual([
      ...['table j (id int8) default', 'insert id=5 m=0'],
    ]);
    expect(await introduced('ALTER TABLE j REPLICA IDENTITY FULL')).toEqual([
      ...['table j (id int8, m int4) full', 'insert id=6 m=0'],
    ]);
  });

  test('of a renamed table have the same OID and the new name', async () => {
    await changesOf('CREATE TABLE k (id int PRIMARY KEY); INSERT INTO k VALUES (1)');
    const before = follower.events.findLast(({ kind }) => kind === 'table');
    expect(await changesOf('ALTER TABLE k RENAME TO k2; INSERT INTO k2 VALUES (2)')).toContain(
      'table k2 (id int4) default',
    );
    const after = follower.events.findLast(({ kind }) => kind === 'table');
    expect(oidOf(after)).toBe(oidOf(before));
    expect(oidOf(after)).toBeGreaterThan(0);
  });

  test('with values of new types are converted, in however many tables', async () => {
    const sql = `CREATE TYPE point3 AS (x int, y int); CREATE TYPE colour AS ENUM ('red');
      CREATE TABLE l (id int PRIMARY KEY, p point3); CREATE TABLE l2 (id int PRIMARY KEY, c colour[]);
      BEGIN; INSERT INTO l VALUES (1, '(1,2)'); INSERT INTO l2 VALUES (1, '{red}');
      INSERT INTO l VALUES (2, '(3,4)'); COMMIT`;
    expect((await changesOf(sql)).filter((line) => line.startsWith('insert'))).toEqual([
      ...['insert id=1 p={"x":1,"y":2}', 'insert id=1 c=["red"]', 'insert id=2 p={"x":3,"y":4}'],
    ]);
  });

  test('with values of a row type that has a new field are converted with that field', async () => {
    await changesOf(`CREATE TYPE pair AS (x int); CREATE TABLE m (id int PRIMARY KEY, p pair);
      INSERT INTO m VALUES (1, ROW(1))`);
    const sql = `ALTER TYPE pair ADD ATTRIBUTE y text; INSERT INTO m VALUES (2, ROW(1, 'b'))`;
    expect(await changesOf(sql)).toContain('insert id=2 p={"x":1,"y":"b"}');
  });

  test('with values of a row type that is altered without a notice are converted, or report why they cannot be', async () => {
    await changesOf(`CREATE TYPE kind AS (x int); CREATE TABLE r (id int PRIMARY KEY, k kind);
      INSERT INTO r VALUES (1, ROW(1))`);
    await database.sql('ALTER TYPE kind ADD ATTRIBUTE y text');
    expect(await changesOf(`INSERT INTO r VALUES (2, ROW(1, 'b'))`)).toContain(
      'insert id=2 k={"x":1,"y":"b"}',
    );
    expect(await changesOf(`UPDATE r SET k = ROW(2, 'c') WHERE id = 2`)).toContain(
      'update id=2 k={"x":2,"y":"c"}',
    );
    await database.sql('ALTER TYPE kind DROP ATTRIBUTE y');
    expect(await changesOf('INSERT INTO r VALUES (3, ROW(3))')).toContain('insert id=3 k={"x":3}');

    const behind = database.stream({ slot: 'powersync_behind' });
    await behind.prepare(neverAborted);
    await database.sql('INSERT INTO r VALUES (4, ROW(4))');
    await database.sql('ALTER TYPE kind ADD ATTRIBUTE z int');
    await database.sql('INSERT INTO r VALUES (5, ROW(5, 6))');
    const late = follow(database.source, behind);
    expect((await late.settled()).map(draw).filter((line) => line.startsWith('insert'))).toEqual([
      'insert id=4, failed: The value of column "k" cannot be converted: it has 1 fields, but the type kind has 2',
      'insert id=5 k={"x":5,"z":6}',
    ]);
    await late.stop();
    await follower.settled();
  });

  test('of a row that is too large have its key and a reason, and the other changes still arrive', async () => {
    const size = 16 * 1024 * 1024;
    await changesOf('CREATE TABLE n (id int PRIMARY KEY, body text)');
    const lines = await changesOf(`INSERT INTO n VALUES (1, repeat('x', ${size})), (2, 'small')`);
    expect(lines.slice(2, 4)).toEqual([
      `insert id=1, failed: [SVC_S1002] The row is too large: ${size + 1} bytes, and at most 15728640 (15 MB) can be synced`,
      'insert id=2 body=small',
    ]);
  });

  test('come before every mark that was set after their commit', async () => {
    await database.sql('CREATE TABLE o (id int PRIMARY KEY); INSERT INTO o VALUES (1)');
    const position = await database.source.position();
    const events = await follower.settled();
    const commit = events.find((event) => event.kind === 'commit');
    expect(commit?.kind === 'commit' && commit.position <= position).toBe(true);
    const mark = follower.events.findLast((event) => event.kind === 'keepalive' && event.marked);
    expect(mark?.kind === 'keepalive' && mark.position >= position).toBe(true);
  });

  test('do not include marks for the messages of other programs', async () => {
    const marks = () => follower.events.filter((event) => event.kind === 'keepalive' && event.marked).length;
    const before = marks();
    await database.sql(`SELECT pg_logical_emit_message(false, 'other', 'ping');
      SELECT pg_logical_emit_message(true, 'powersync', 'ping')`);
    await follower.settled();
    expect(marks()).toBe(before + 1);
  });

  test('of columns with any name arrive', async () => {
    const sql = `CREATE TABLE p (id int PRIMARY KEY, "__proto__" text, "tab	quote"" " text);
      INSERT INTO p VALUES (1, 'a', 'b')`;
    expect(await changesOf(sql)).toContain('insert id=1 __proto__=a tab	quote" =b');
  });

  test('of one large transaction all arrive, in chunks and in order', async () => {
    await changesOf('CREATE TABLE q (id int PRIMARY KEY, t text)');
    await database.sql(`INSERT INTO q SELECT i, 'x' FROM generate_series(1, 60000) i`);
    const events = await follower.settled();
    const ids = events.flatMap((event) => (event.kind === 'insert' ? [Number(event.row.values.id)] : []));
    expect(ids).toEqual(Array.from({ length: 60_000 }, (_, at) => at + 1));
    expect(events.filter(({ kind }) => kind === 'commit')).toHaveLength(1);
  });
});

function oidOf(event: ChangeEvent | undefined): number | undefined {
  return event?.kind === 'table' ? event.table.sourceId : undefined;
}

const names = new Map<number, string>();

function draw(event: ChangeEvent): string {
  switch (event.kind) {
    case 'table': {
      const { name, sourceId: oid, identity, identityKind } = event.table;
      names.set(oid, name);
      return `table ${name} (${identity.map((column) => `${column.name} ${column.type}`).join(', ')}) ${identityKind}`;
    }
    case 'insert':
    case 'update': {
      const { values, unchanged, failure } = event.row;
      const parts = [`${event.kind} ${drawRow(values)}`];
      if (unchanged !== undefined) parts.push(`unchanged ${unchanged.join(' ')}`);
      if (failure !== undefined) parts.push(`failed: ${failure}`);
      if (event.kind === 'update' && event.old !== undefined) parts.push(`was ${drawRow(event.old)}`);
      return parts.join(', ');
    }
    case 'delete':
      return `delete ${drawRow(event.old)}`;
    case 'truncate':
      return `truncate ${event.sourceIds.map((oid) => names.get(oid)).join(' ')}`;
    default:
      return event.kind;
  }
}

function drawRow(row: object): string {
  return Object.entries(row)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
