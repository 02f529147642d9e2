/** The embedded source against its contract, through ordinary clients. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { patienceFactor } from '../../../../scripts/run/patience.ts';
import { defaultOptions } from '../../../../server/engine/model/options.ts';
import type { TablePattern } from '../../../../server/engine/plan/plan.ts';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import { openEmbeddedSource } from '../../../../server/service/replication/embedded/source.ts';
import { numberOf } from '../../../../server/service/replication/postgres/lsn.ts';
import type {
  ChangeEvent,
  CopyPage,
  Source,
  SourceStream,
} from '../../../../server/service/replication/source.ts';
import { hostile, refusals } from '../../../support/service/hostileSql.ts';

/** A clock whose time limits can be longer than the system's, because a busy machine needs seconds for some megabytes. */
let slowness = 1;
const clock: typeof systemClock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms * slowness, signal),
};
const world = { clock, log: silentLog, env: {}, fetch };
const connection = { type: 'embedded', id: 'default', tag: 'default', debugApi: false } as const;

let folder: string;
let source: Source;
let client: pg.Client;
let streams = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-embedded-'));
  const schema = join(folder, 'schema.sql');
  writeFileSync(
    schema,
    `CREATE TABLE lists (id text PRIMARY KEY, name text); INSERT INTO lists VALUES ('a', 'first')`,
  );
  const paths = [{ path: schema, name: 'schema.sql', folder }];
  source = await openEmbeddedSource({ ...connection, schema: paths }, join(folder, 'db'), world);
  client = await connectTo(source);
});

afterAll(async () => {
  await client.end();
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await client.query('DROP TABLE IF EXISTS t, parted, nokey; CREATE TABLE t (id int PRIMARY KEY, a text)');
});

async function connectTo({ clientUri }: Source): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: clientUri });
  opened.on('error', () => undefined);
  await opened.connect();
  return opened;
}

const { signal: neverAborted } = new AbortController();

function openStream(of: Source = source, slot = `test_${++streams}`): SourceStream {
  const unwatched = { onProgress: () => {}, onWaiting: () => {} };
  return of.stream({ deploymentName: slot, patterns: [], options: defaultOptions(3), ...unwatched });
}

const pattern = (name: string, wildcard = false): TablePattern => ({
  tag: 'default',
  schema: { text: 'public', wildcard: false },
  name: { text: name, wildcard },
});

/** Returns the events up to and including the first one for which `isLast` holds. */
async function eventsUntil(
  stream: SourceStream,
  isLast: (event: ChangeEvent) => boolean,
): Promise<ChangeEvent[]> {
  const stop = new AbortController();
  const events: ChangeEvent[] = [];
  for await (const chunk of stream.changes(stop.signal)) {
    for (const event of chunk.events) {
      events.push(event);
      if (isLast(event)) {
        stop.abort();
        return events;
      }
    }
  }
  return events;
}

/** Returns the changes of rows as text. */
async function changesOf(stream: SourceStream): Promise<string[]> {
  await source.mark();
  const events = await eventsUntil(stream, (event) => event.kind === 'keepalive' && event.marked);
  return events.flatMap((event) => {
    switch (event.kind) {
      case 'insert':
        return [`insert ${JSON.stringify(readable(event.row.values))}`];
      case 'update':
        return [
          `update ${JSON.stringify(readable(event.row.values))}${event.old ? ` of ${JSON.stringify(readable(event.old))}` : ''}`,
        ];
      case 'delete':
        return [`delete ${JSON.stringify(readable(event.old))}`];
      case 'truncate':
        return ['truncate'];
      case 'begin':
      case 'commit':
        return [event.kind];
      case 'table':
        return event.table.name === 't' ? [`table ${event.table.identity.map(({ name }) => name)}`] : [];
      default:
        return [];
    }
  });
}

function readable(row: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}

describe('the stream', () => {
  test('sends every change of every row, transaction by transaction', async () => {
    const stream = openStream();
    expect(await stream.prepare(neverAborted)).toBe('created');
    expect(await stream.prepare(neverAborted)).toBe('kept');
    await client.query(`INSERT INTO t VALUES (1, 'x'), (2, 'y')`);
    await client.query(`BEGIN; UPDATE t SET a = 'z' WHERE id = 1; UPDATE t SET id = 3 WHERE id = 2; COMMIT`);
    await client.query('DELETE FROM t WHERE id = 1');
    await client.query('TRUNCATE t');
    expect(await changesOf(stream)).toEqual([
      'table id',
      ...['begin', 'insert {"id":1,"a":"x"}', 'insert {"id":2,"a":"y"}', 'commit'],
      ...['begin', 'update {"id":1,"a":"z"}', 'update {"id":3,"a":"y"} of {"id":2,"a":"y"}', 'commit'],
      ...['begin', 'delete {"id":1,"a":"z"}', 'commit'],
      ...['begin', 'truncate', 'commit'],
    ]);
  });

  test('does not send changes that were rolled back', async () => {
    const stream = openStream();
    await stream.prepare(neverAborted);
    await client.query(`BEGIN; INSERT INTO t VALUES (1, 'x'); ROLLBACK`);
    expect(await changesOf(stream)).toEqual(['table id']);
  });

  test('announces new and altered tables before the changes of their rows', async () => {
    const stream = openStream();
    await stream.prepare(neverAborted);
    await client.query(`INSERT INTO t VALUES (1, 'x')`);
    await client.query(`ALTER TABLE t ADD COLUMN b int; INSERT INTO t VALUES (2, 'y', 5)`);
    await client.query(`ALTER TABLE t DROP CONSTRAINT t_pkey; ALTER TABLE t ADD PRIMARY KEY (a, id)`);
    await client.query(`DROP TABLE t; CREATE TABLE t (id text PRIMARY KEY); INSERT INTO t VALUES ('new')`);
    expect((await changesOf(stream)).filter((each) => !/begin|commit/.test(each))).toEqual([
      'table id',
      'insert {"id":1,"a":"x"}',
      'table id',
      'insert {"id":2,"a":"y","b":5}',
      'table id,a,b',
      'table id,a',
      'table id',
      'insert {"id":"new"}',
    ]);
  });

  test('sends the changes of a trigger after the changes that it reacts to', async () => {
    await client.query(`CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN UPDATE t SET a = a || '!' WHERE id = NEW.id; RETURN NULL; END $$;
      CREATE TRIGGER a AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION again()`);
    const stream = openStream();
    await stream.prepare(neverAborted);
    await client.query(`INSERT INTO t VALUES (1, 'x')`);
    expect(await changesOf(stream)).toEqual([
      'table id',
      ...['begin', 'insert {"id":1,"a":"x"}', 'update {"id":1,"a":"x!"}', 'commit'],
    ]);
    await client.query('DROP FUNCTION again CASCADE');
  });

  test('sends the rows of partitions', async () => {
    await client.query(`CREATE TABLE parted (id int, PRIMARY KEY (id)) PARTITION BY RANGE (id);
      CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10)`);
    const stream = openStream();
    await stream.prepare(neverAborted);
    await client.query('INSERT INTO parted VALUES (4)');
    expect(await changesOf(stream)).toContain('insert {"id":4}');
  });

  test('continues after the last acknowledged change, even after a restart of the database', async () => {
    const own = await openEmbeddedSource(connection, join(folder, 'other'), world);
    const writer = await connectTo(own);
    await writer.query('CREATE TABLE t (id int PRIMARY KEY)');
    const stream = openStream(own, 'slot');
    await stream.prepare(neverAborted);
    await writer.query('INSERT INTO t VALUES (1)');
    const events = await eventsUntil(stream, ({ kind }) => kind === 'commit');
    const last = events.at(-1);
    if (last?.kind === 'commit') stream.acknowledge(last.position);
    await stream.close();
    await writer.query('INSERT INTO t VALUES (2)');
    await writer.end();
    await own.close();

    const again = await openEmbeddedSource(connection, join(folder, 'other'), world);
    const resumed = openStream(again, 'slot');
    expect(await resumed.prepare(neverAborted)).toBe('kept');
    const rows = (await eventsUntil(resumed, ({ kind }) => kind === 'commit')).flatMap((event) =>
      event.kind === 'insert' ? [readable(event.row.values)] : [],
    );
    await again.close();
    expect(rows).toEqual([{ id: 2 }]);
  });

  test('sends the same values whatever settings a client has', async () => {
    await client.query(
      'DROP TABLE t; CREATE TABLE t (id int PRIMARY KEY, at timestamptz, b bytea, d float8)',
    );
    const stream = openStream();
    await stream.prepare(neverAborted);
    await client.query(`SET TIME ZONE 'Asia/Tokyo'; SET bytea_output = 'escape'; SET datestyle = 'German';
      INSERT INTO t VALUES (1, '2024-01-02T03:04:05Z', '\\x01ff', 0.1)`);
    const events = await eventsUntil(stream, ({ kind }) => kind === 'commit');
    await client.query('RESET ALL');
    const row = events.find((event) => event.kind === 'insert');
    expect(row?.kind === 'insert' && row.row.values).toEqual({
      id: 1n,
      at: '2024-01-02T03:04:05.000000Z',
      b: new Uint8Array([1, 255]),
      d: 0.1,
    });
  });
});

describe('the copy', () => {
  test('returns all rows in pages, and can continue after a key', async () => {
    await client.query(`INSERT INTO t SELECT n, 'row ' || n FROM generate_series(1, 25000) AS n`);
    const [match] = await source.tables([pattern('t')]);
    const table = match?.table;
    if (table === undefined) throw new Error('the table is there');
    const stream = openStream();
    const pages: CopyPage[] = [];
    for await (const page of stream.copy(table, undefined, neverAborted)) pages.push(page);
    expect(pages.map(({ rows, position }) => [rows.length, position !== undefined])).toEqual([
      [200, false],
      [10_000, false],
      [10_000, false],
      [4800, true],
    ]);
    expect(pages[2]?.progress).toMatchObject({ copiedRows: 20_200, estimatedRows: 25_000 });
    const rest: CopyPage[] = [];
    for await (const page of stream.copy(table, pages[2]?.progress, neverAborted)) rest.push(page);
    expect(rest.map(({ rows }) => rows.length)).toEqual([200, 4600]);
    expect(rest[0]?.rows[0]).toEqual({ id: 20_201n, a: 'row 20201' });
  });

  test('continues after keys of several columns, whatever characters they contain', async () => {
    await client.query(`CREATE TABLE parted (a text, b timestamptz, v text, PRIMARY KEY (a, b));
      INSERT INTO parted SELECT E'it''s \\\\ \n\t"' || n / 100, '2026-01-01'::timestamptz + n * interval '1 s', NULL
      FROM generate_series(1, 1000) AS n`);
    const [match] = await source.tables([pattern('parted')]);
    const seen = new Set<unknown>();
    for await (const page of openStream().copy(match?.table as never, undefined, neverAborted))
      for (const row of page.rows) seen.add(`${row.a} ${row.b}`);
    expect(seen.size).toBe(1000);
    expect([...seen][0]).toBe('it\'s \\ \n\t"0 2026-01-01T00:00:01.000000Z');
  });

  test('has small pages if rows are large, and leaves out rows that are too large', async () => {
    await client.query(`INSERT INTO t SELECT n, repeat('x', 20000) FROM generate_series(1, 500) AS n`);
    await client.query(`INSERT INTO t SELECT 1000, repeat('x', 16 * 1024 * 1024)`);
    const [match] = await source.tables([pattern('t')]);
    const pages: CopyPage[] = [];
    for await (const page of openStream().copy(match?.table as never, undefined, neverAborted))
      pages.push(page);
    expect(pages.slice(0, 4).map(({ rows }) => rows.length)).toEqual([200, 104, 104, 92]);
    expect(pages.flatMap(({ failed }) => failed)).toEqual([
      {
        identity: { id: 1000n },
        message: expect.stringContaining('[SVC_S1002] The row is too large: 16777'),
      },
    ]);
  });

  test('also reads tables without a key', async () => {
    await client.query('CREATE TABLE nokey (a int); INSERT INTO nokey SELECT generate_series(1, 10001)');
    const [match] = await source.tables([pattern('nokey')]);
    expect(match?.problems[0]).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('no primary key'),
    });
    let rows = 0;
    for await (const page of openStream().copy(match?.table as never, undefined, neverAborted)) {
      rows += page.rows.length;
    }
    expect(rows).toBe(10_001);
  });
});

describe('the source', () => {
  test('has the tables of its schema, and their rows', async () => {
    const names = (await source.schema()).flatMap(({ name, tables }) =>
      tables.map((each) => `${name}.${each.name}`),
    );
    expect(names).toContain('public.lists');
    expect(names.filter((name) => name.startsWith('headwater'))).toEqual([]);
    const { rows } = await source.query('SELECT name FROM lists WHERE id = $1', ['a'], neverAborted);
    expect(rows).toEqual([['first']]);
  });

  test('finds tables by wildcard, and reports a missing table by name', async () => {
    const found = await source.tables([pattern('li', true), pattern('nothing')]);
    expect(found.map(({ table, problems }) => [table?.name, problems[0]?.message])).toEqual([
      ['lists', undefined],
      [undefined, 'Table "public"."nothing" not found.'],
    ]);
  });

  describe('answers queries', () => {
    beforeEach(async () => {
      await client.query('DROP TABLE IF EXISTS t; CREATE TABLE t (id int)');
    });

    test.each(hostile)('which cannot do more than read: %s', async (sql) => {
      await expect(source.query(sql, [], neverAborted)).rejects.toThrow(refusals);
      expect((await client.query('SELECT * FROM t')).rows).toEqual([]);
      // The next client has its own role, and may write.
      const { rows } = await client.query('SELECT current_user AS name');
      expect(rows).toEqual([{ name: 'postgres' }]);
      expect(readdirSync(join(folder, 'db'))).not.toContain('stolen');
    });

    test('and leaves no role or function behind', async () => {
      await source.query('SELECT 1', [], neverAborted);
      const left = `SELECT rolname FROM pg_roles WHERE rolname LIKE 'headwater%'
        UNION SELECT proname FROM pg_proc WHERE proname = 'headwater_read'`;
      expect((await client.query(left)).rows).toEqual([]);
    });

    test('with at most 1000 rows, and fewer if they are large', async () => {
      slowness = patienceFactor();
      onTestFinished(() => {
        slowness = 1;
      });
      const many = await source.query('SELECT generate_series(1, 100000)', [], neverAborted);
      expect([many.rows.length, many.truncated]).toEqual([1000, true]);
      const wide = `SELECT repeat('x', 1000000) FROM generate_series(1, 100)`;
      const large = await source.query(wide, [], neverAborted);
      expect([large.rows.length, large.truncated]).toEqual([4, true]);
    });

    test('and restarts the database after a query that takes too long', async () => {
      await expect(source.query('SELECT pg_sleep(100)', [], neverAborted)).rejects.toThrow(
        /longer than 10 s/,
      );
      expect((await source.query('SELECT 1 AS n', [], neverAborted)).rows).toEqual([[1n]]);
      client = await connectTo(source);
    });

    test('and skips a query whose caller has gone before its turn', async () => {
      await client.query('BEGIN');
      const gone = new AbortController();
      const answer = source.query('SELECT pg_sleep(100)', [], gone.signal);
      gone.abort();
      await expect(answer).rejects.toThrow();
      await client.query('COMMIT');
      expect((await source.query('SELECT 1 AS n', [], neverAborted)).rows).toEqual([[1n]]);
    });
  });

  test('has a position that every stream passes after a mark', async () => {
    const stream = openStream();
    await stream.prepare(neverAborted);
    await client.query(`INSERT INTO t VALUES (9, 'x')`);
    const position = await source.position();
    await source.mark();
    const events = await eventsUntil(stream, (event) => event.kind === 'keepalive' && event.marked);
    const last = events.at(-1);
    expect(last?.kind === 'keepalive' && numberOf(last.position) >= numberOf(position)).toBe(true);
  });

  test('survives the end of its process without losing a commit, and logs the end', async () => {
    const said: string[] = [];
    const log = { write: (_: string, message: string) => void said.push(message) };
    const killed = await openEmbeddedSource(connection, join(folder, 'killed'), { ...world, log });
    const one = await connectTo(killed);
    await one.query('CREATE TABLE t (id int PRIMARY KEY, a text)');
    const stream = openStream(killed, 'killed');
    await stream.prepare(neverAborted);
    await one.query(`INSERT INTO t VALUES (1, 'kept')`);
    const reading = eventsUntil(stream, () => false);
    process.kill(Number(readFileSync(join(folder, 'killed/owner.pid'), 'utf8')), 'SIGKILL');
    await expect(reading).rejects.toThrow('The process of the embedded database has ended.');
    expect(said.filter((each) => each.includes('It starts again when it is needed.'))).toHaveLength(1);
    const events = await eventsUntil(openStream(killed, 'killed'), ({ kind }) => kind === 'commit');
    expect(events.some((event) => event.kind === 'insert' && event.row.values.a === 'kept')).toBe(true);
    await killed.close();
  });

  test('stays closed for all later requests', async () => {
    const closed = await openEmbeddedSource(connection, join(folder, 'closed'), world);
    onTestFinished(() => closed.close());
    await closed.position();
    await closed.close();
    await expect(closed.position()).rejects.toMatchObject({ kind: 'closed' });
    await expect(openStream(closed, 'closed').prepare(neverAborted)).rejects.toMatchObject({
      kind: 'closed',
    });
  });

  test('reports the states of its slots', async () => {
    expect(await source.backlog('none')).toEqual({ kind: 'absent' });
    await openStream(source, 'mine').prepare(neverAborted);
    expect(await source.backlog('mine')).toMatchObject({ kind: 'ready' });
    await source.dropBacklog('mine');
    expect(await source.backlog('mine')).toEqual({ kind: 'absent' });
  });
});

describe('a schema', () => {
  test('that does not exist is reported by name', async () => {
    const schema = [{ path: join(folder, 'nowhere.sql'), name: 'db/nowhere.sql', folder }];
    const broken = await openEmbeddedSource({ ...connection, schema }, join(folder, 'nowhere'), world);
    onTestFinished(() => broken.close());
    expect((await broken.health()).problems[0]?.message).toMatch(/db\/nowhere\.sql does not exist/);
  });
});
