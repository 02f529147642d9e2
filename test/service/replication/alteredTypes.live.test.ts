/** Values of types that are created or altered during replication. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedDatabase } from './embedded/support.ts';
import { copied, follow, neverAborted, type TestDatabase } from './postgres/support.ts';
import { sources } from './sources.ts';

/** Statements, each followed by the value of the row that it writes. */
interface History {
  readonly setup: string;
  readonly steps: readonly (readonly [sql: string, value: unknown])[];
}

const histories: Readonly<Record<string, History>> = {
  'a composite gets a field': {
    setup: 'CREATE TYPE item AS (a int); CREATE TABLE t (id int PRIMARY KEY, v item)',
    steps: [
      [`INSERT INTO t VALUES (1, '(1)')`, '{"a":1}'],
      [`ALTER TYPE item ADD ATTRIBUTE b bool; INSERT INTO t VALUES (2, '(2,t)')`, '{"a":2,"b":1}'],
      [`UPDATE t SET v.b = false WHERE id = 1`, '{"a":1,"b":0}'],
    ],
  },
  'a nested composite gets a field': {
    setup: `CREATE TYPE item AS (a int); CREATE DOMAIN items AS item[]; CREATE TYPE parcel AS (items items);
      CREATE TABLE t (id int PRIMARY KEY, v parcel[])`,
    steps: [
      [`INSERT INTO t VALUES (1, ARRAY[ROW(ARRAY[ROW(1)::item])::parcel])`, '[{"items":[{"a":1}]}]'],
      [
        `ALTER TYPE item ADD ATTRIBUTE b bool; INSERT INTO t VALUES (2, ARRAY[ROW(ARRAY[ROW(2, true)::item])::parcel])`,
        '[{"items":[{"a":2,"b":1}]}]',
      ],
    ],
  },
  'a table whose rows are values gets a column': {
    setup: 'CREATE TABLE item (a int); CREATE TABLE t (id int PRIMARY KEY, v item[])',
    steps: [
      [`INSERT INTO t VALUES (1, ARRAY[ROW(1)::item])`, '[{"a":1}]'],
      [
        `ALTER TABLE item ADD COLUMN b bool; INSERT INTO t VALUES (2, ARRAY[ROW(2, true)::item])`,
        '[{"a":2,"b":1}]',
      ],
    ],
  },
  'an existing column changes to a new domain over a new enum': {
    setup: 'CREATE TABLE t (id int PRIMARY KEY, v text[])',
    steps: [
      [`INSERT INTO t VALUES (1, '{a}')`, '["a"]'],
      [
        `CREATE TYPE mood AS ENUM ('so so'); CREATE DOMAIN moods AS mood[]; UPDATE t SET v = '{so so}';
         ALTER TABLE t ALTER v TYPE moods USING v::moods; INSERT INTO t VALUES (2, '{so so}')`,
        '["so so"]',
      ],
    ],
  },
};

/** The effects of the statements on a running stream, and on a copy afterwards. */
describe.each(sources)('%s', (_, open) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open('');
  });

  afterAll(() => database?.close());

  test.each(Object.entries(histories))('has current values when %s', async (name, { setup, steps }) => {
    await database.sql(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${setup}`);
    const stream = database.stream({ slot: `slot_${Object.keys(histories).indexOf(name)}` });
    await stream.prepare(neverAborted);
    const follower = follow(database.source, stream);
    for (const [sql, value] of steps) {
      await database.sql(sql);
      const events = await follower.settled();
      const row = events.flatMap((event) => ('row' in event ? [event.row] : [])).at(-1);
      expect(row, sql).toMatchObject({ values: { v: value } });
      expect(row, sql).not.toHaveProperty('failure');
    }
    await follower.stop();
    const pages = await copied(stream, await database.table('t'));
    expect(pages.flatMap(({ failed }) => failed)).toEqual([]);
  });
});

describe('The embedded database', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database =
      await openEmbeddedDatabase(`CREATE TYPE item AS (a int, b text); CREATE DOMAIN amount AS float8;
      CREATE TABLE t (id int PRIMARY KEY, v item, n amount, last text)`);
  });

  afterAll(() => database?.close());

  test('sends each change with the types of its time, even if they are gone when the change is read', async () => {
    const stream = database.stream();
    await stream.prepare(neverAborted);
    await database.sql(`INSERT INTO t VALUES (1, '(1,x)', 1.5, 'z')`);
    await database.sql(`ALTER TYPE item RENAME ATTRIBUTE b TO c; INSERT INTO t VALUES (2, '(2,y)', 2, 'z')`);
    await database.sql(`ALTER TYPE item DROP ATTRIBUTE a; INSERT INTO t VALUES (3, '(y)', 3, 'z')`);
    await database.sql(`DROP TYPE item CASCADE; INSERT INTO t VALUES (4, 4, 'z')`);
    await database.sql(`DROP DOMAIN amount CASCADE; INSERT INTO t VALUES (5, 'z')`);
    const follower = follow(database.source, stream);
    const events = await follower.settled();
    await follower.stop();
    expect(events.flatMap((event) => ('row' in event ? [{ ...event.row.values }] : []))).toEqual([
      { id: 1n, v: '{"a":1,"b":"x"}', n: 1.5, last: 'z' },
      { id: 2n, v: '{"a":2,"c":"y"}', n: 2, last: 'z' },
      { id: 3n, v: '{"c":"y"}', n: 3, last: 'z' },
      { id: 4n, n: 4, last: 'z' },
      { id: 5n, last: 'z' },
    ]);
  });
});
