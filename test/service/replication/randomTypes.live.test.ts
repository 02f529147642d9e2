/**
 * Random types of types, with random values. Each value is written as SQL and as the expected JSON. The test covers the entire
 * way from the column to the row, in both kinds of sources.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copied, follow, neverAborted, type TestDatabase } from './postgres/support.ts';
import { sources } from './sources.ts';

/** A value as an SQL expression, and as it is written inside JSON. */
interface Written {
  readonly sql: string;
  readonly json: string;
}

interface MadeValue {
  readonly type: string;
  /** Statements that make it, in order. */
  readonly ddl: readonly string[];
  readonly value: fc.Arbitrary<Written>;
  /** An array of arrays is an array with more dimensions. */
  readonly isArray: boolean;
}

const nullValue: Written = { sql: 'NULL', json: 'null' };

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Texts with all characters that have a meaning in some notation of PostgreSQL or of JSON. */
const text = fc.string({
  unit: fc.constantFrom(...'{}[]()"\\,\';:=a N0\n\t', 'NULL', '🐈', 'ü', '\u0001'),
  maxLength: 6,
});

const bases: readonly MadeValue[] = (
  [
    ['text', text.map((each) => ({ sql: `${quote(each)}::text`, json: JSON.stringify(each) }))],
    [
      'int8',
      fc
        .bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n })
        .map((n) => ({ sql: `(${n})::int8`, json: `${n}` })),
    ],
    ['bool', fc.boolean().map((each) => ({ sql: `${each}`, json: each ? '1' : '0' }))],
    ['numeric', fc.integer().map((n) => ({ sql: `(${n}.50)::numeric`, json: `"${n}.50"` }))],
    ['float8', fc.integer({ min: -999, max: 999 }).map((n) => ({ sql: `(${n})::float8`, json: `${n}.0` }))],
    ['bytea', text.map((each) => ({ sql: `convert_to(${quote(each)}, 'UTF8')`, json: 'null' }))],
    [
      'jsonb',
      text.map((each) => ({
        sql: `jsonb_build_array(${quote(each)}::text, true)`,
        json: `[${JSON.stringify(each)}, true]`,
      })),
    ],
    [
      'timestamptz',
      fc.integer({ min: 0, max: 59 }).map((n) => {
        const second = String(n).padStart(2, '0');
        return {
          sql: `'2024-01-02 03:04:${second}+02'::timestamptz`,
          json: `"2024-01-02T01:04:${second}.000000Z"`,
        };
      }),
    ],
    [
      'numrange',
      fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 10, max: 99 })).map(([from, to]) => ({
        sql: `numrange(${from}, ${to}, '(]')`,
        json: `{"lower":"${from}","upper":"${to}","lower_exclusive":1,"upper_exclusive":0}`,
      })),
    ],
  ] as const
).map(([type, value]) => ({ type, ddl: [], value, isArray: false }));

let made = 0;
const newName = (kind: string) => `${kind}_${++made}`;

const orNull = (value: fc.Arbitrary<Written>) => fc.option(value, { freq: 5, nil: nullValue });

function arrayOf(element: MadeValue): MadeValue {
  const type = `${element.type}[]`;
  const list = (value: fc.Arbitrary<Written>, size: fc.ArrayConstraints) =>
    fc.array(value, size).map((values) => ({
      sql: `ARRAY[${values.map(({ sql }) => sql).join(',')}]::${type}`,
      json: `[${values.map(({ json }) => json).join(',')}]`,
    }));
  const flat = list(orNull(element.value), { maxLength: 4 });
  const rows = list(list(orNull(element.value), { minLength: 2, maxLength: 2 }), {
    minLength: 1,
    maxLength: 3,
  });
  return { type, ddl: element.ddl, value: fc.oneof(flat, rows), isArray: true };
}

function domainOver(base: MadeValue): MadeValue {
  const type = newName('domain');
  const value = base.value.map(({ sql, json }) => ({ sql: `(${sql})::${type}`, json }));
  return { type, ddl: [...base.ddl, `CREATE DOMAIN ${type} AS ${base.type}`], value, isArray: false };
}

function compositeOf(fields: readonly MadeValue[]): MadeValue {
  const type = newName('composite');
  // Users also choose names, so these have special characters.
  const names = fields.map((_, at) => `f "${at}" \\`);
  const columns = fields.map((field, at) => `"${names[at]?.replaceAll('"', '""')}" ${field.type}`);
  const value = fc.tuple(...fields.map((field) => orNull(field.value))).map((values) => ({
    sql: `ROW(${values.map(({ sql }) => sql).join(',')})::${type}`,
    json: `{${values.map(({ json }, at) => `${JSON.stringify(names[at])}:${json}`).join(',')}}`,
  }));
  const ddl = [
    ...new Set(fields.flatMap((field) => field.ddl)),
    `CREATE TYPE ${type} AS (${columns.join(', ')})`,
  ];
  return { type, ddl, value, isArray: false };
}

const type: fc.Arbitrary<MadeValue> = fc.letrec<{ type: MadeValue }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'type' },
    { weight: 1, arbitrary: fc.constantFrom(...bases) },
    { weight: 2, arbitrary: tie('type').map((each) => arrayOf(each.isArray ? domainOver(each) : each)) },
    { weight: 1, arbitrary: tie('type').map(domainOver) },
    { weight: 2, arbitrary: fc.array(tie('type'), { minLength: 1, maxLength: 4 }).map(compositeOf) },
  ),
})).type;

/** Types whose values become JSON. The form of plain values is in the table of types. */
const structured = type.filter(({ isArray, type: name }) => isArray || name.startsWith('composite'));

const seed = 25;

describe.each(sources)('%s', (_, open) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open('');
  });

  afterAll(() => database?.close());

  test('has the values of any type, from the log and from the copy', async () => {
    const types = fc.sample(structured, { seed, numRuns: 60 });
    const values = types.map(({ value }, at) => fc.sample(value, { seed: seed + at, numRuns: 5 }));
    for (const statement of new Set(types.flatMap(({ ddl }) => ddl))) await database.sql(statement);
    await database.sql(
      `CREATE TABLE t (id int PRIMARY KEY, ${types.map((each, at) => `c${at} ${each.type}`).join(', ')})`,
    );
    const stream = database.stream();
    await stream.prepare(neverAborted);
    const follower = follow(database.source, stream);
    const rows = [0, 1, 2, 3, 4].map((id) => values.map((each) => each[id] ?? nullValue));
    for (const [id, row] of rows.entries())
      await database.sql(`INSERT INTO t VALUES (${[id, ...row.map(({ sql }) => sql)].join(', ')})`);
    const expected = rows.map((row, id) => ({
      id: BigInt(id),
      ...Object.fromEntries(row.map(({ json }, at) => [`c${at}`, json])),
    }));
    const events = await follower.settled();
    await follower.stop();
    expect(events.flatMap((event) => ('row' in event ? [{ ...event.row.values }] : []))).toEqual(expected);
    const pages = await copied(stream, await database.table('t'));
    expect(pages.flatMap((page) => page.rows).map((row) => ({ ...row }))).toEqual(expected);
  });
});
