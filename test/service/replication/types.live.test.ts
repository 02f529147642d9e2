/** Values of each type of Postgres are as the contract says, whether they come from the copy, the log or a read by key. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Options } from '../../../server/engine/model/definition.ts';
import { readRecord, selectRecord } from '../../../server/engine/plan/values/postgres/record.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import {
  copied,
  follow,
  neverAborted,
  options,
  plainOptions,
  type TestDatabase,
} from './postgres/support.ts';
import { sources } from './sources.ts';

/** Names of columns are the user's: `t` is the alias of a table in some statements. */
const setup = `
CREATE TYPE mood AS ENUM ('happy', 'so so');
CREATE DOMAIN amount AS float8 CHECK (VALUE >= 0);
CREATE DOMAIN moods AS mood[];
CREATE TYPE item AS (a int, b text, c bool);
CREATE TYPE parcel AS (inner_item item, amounts amount[], at timestamptz);
CREATE TYPE nothing AS ();
CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS hstore;
`;

type Case = readonly [type: string, literal: string, iso: SqlValue, plain?: SqlValue];

/** The last column is for configs without ISO timestamps and without custom types, where that differs. */
const cases: readonly Case[] = [
  ['bool', 'true', 1n],
  ['bool', 'false', 0n],
  ['int2', '-32768', -32768n],
  ['int4', '2147483647', 2147483647n],
  ['int8', '9223372036854775807', 9223372036854775807n],
  ['oid', '4294967295', 4294967295n],
  ['float4', '3', 3],
  ['float4', '0.1', 0.1],
  ['float8', '0.30000000000000004', 0.30000000000000004],
  ['float8', 'NaN', Number.NaN],
  ['float8', '-Infinity', Number.NEGATIVE_INFINITY],
  ['numeric', '12.340', '12.340'],
  ['numeric', 'NaN', 'NaN'],
  ['numeric(30,10)', '12345678901234567890.1', '12345678901234567890.1000000000'],
  ['money', '1234.5', '$1,234.50'],
  ['text', 'a\tb\nc\\d\re', 'a\tb\nc\\d\re'],
  ['text', '\\N', '\\N'],
  ['text', '', ''],
  ['text', '🐈 ü', '🐈 ü'],
  ['varchar(5)', 'ab', 'ab'],
  ['char(4)', 'ab', 'ab  '],
  ['name', 'ab', 'ab'],
  ['mood', 'so so', 'so so'],
  ['citext', 'MiXed', 'MiXed'],
  ['hstore', 'a=>1', '"a"=>"1"'],
  ['xml', '<a>1</a>', '<a>1</a>'],
  ['interval', '1 year 2 days 03:04:05.6', '1 year 2 days 03:04:05.6'],
  ['inet', '10.0.0.1/8', '10.0.0.1/8'],
  ['cidr', '10.0.0.0/8', '10.0.0.0/8'],
  ['macaddr', '08:00:2b:01:02:03', '08:00:2b:01:02:03'],
  ['point', '(1,2.5)', '(1,2.5)'],
  ['box', '(3,4),(1,2)', '(3,4),(1,2)'],
  ['circle', '<(1,2),3>', '<(1,2),3>'],
  ['tsvector', 'a b', "'a' 'b'"],
  ['bit(3)', '101', '101'],
  ['int2vector', '1 2', '1 2'],
  ['timetz', '12:13:14.1+02', '12:13:14.1+02'],
  ['uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ['bytea', '\\x00ff5c', new Uint8Array([0, 255, 92])],
  ['json', '{"b": 1.0,  "a":[true]}', '{"b": 1.0,  "a":[true]}'],
  ['jsonb', '{"b": 12345678901234567890}', '{"b": 12345678901234567890}'],
  ['date', '2024-01-02', '2024-01-02'],
  ['date', 'infinity', '9999-12-31'],
  ['date', '-infinity', '0000-01-01'],
  ['date', '0044-03-15 BC', '0044-03-15 BC'],
  ['time', '12:13:14.1', '12:13:14.100000', '12:13:14.1'],
  ['time', '12:13:14', '12:13:14.000000', '12:13:14'],
  ['timestamp', '2024-01-02 03:04:05.1', '2024-01-02T03:04:05.100000', '2024-01-02 03:04:05.1'],
  ['timestamp', 'infinity', '9999-12-31T23:59:59.000000', '9999-12-31 23:59:59'],
  ['timestamp', '-infinity', '0000-01-01T00:00:00.000000', '0000-01-01 00:00:00'],
  ['timestamp', '0044-03-15 00:00:00 BC', null],
  ['timestamp', '12024-01-02 03:04:05', '12024-01-02T03:04:05.000000', '12024-01-02 03:04:05'],
  ['timestamptz', '2024-01-02 03:04:05+02', '2024-01-02T01:04:05.000000Z', '2024-01-02 01:04:05Z'],
  [
    'timestamptz',
    '2024-01-02 03:04:05.123456Z',
    '2024-01-02T03:04:05.123456Z',
    '2024-01-02 03:04:05.123456Z',
  ],
  ['timestamptz', '-infinity', '0000-01-01T00:00:00.000000Z', '0000-01-01 00:00:00Z'],
  ['timestamptz', '0044-03-15 00:00:00Z BC', null],
  ['timestamptz', '12024-01-02 03:04:05Z', null],
  ['pg_lsn', '16/B374D848', '00000016/B374D848'],
  ['pg_lsn', '16/1', '00000016/00000001'],
  ['int4[]', '{1,2,NULL}', '[1,2,null]'],
  ['int4[]', '{}', '[]'],
  ['int4[]', '[0:1]={7,8}', '[7,8]'],
  ['int4[]', '{{1,2},{3,4}}', '[[1,2],[3,4]]'],
  ['bool[]', '{t,f}', '[1,0]'],
  ['float8[]', '{1,1.5,NaN}', '[1.0,1.5,null]'],
  ['numeric[]', '{1.50}', '["1.50"]'],
  ['text[]', '{a,"b,c","d\\"e","","NULL",NULL,"{}"}', '["a","b,c","d\\"e","","NULL",null,"{}"]'],
  ['json[]', '{"{\\"a\\": true}"}', '[{"a": true}]'],
  ['bytea[]', '{"\\\\x00"}', '[null]'],
  ['date[]', '{infinity}', '["9999-12-31"]'],
  ['timestamp[]', '{"2024-01-02 03:04:05"}', '["2024-01-02T03:04:05.000000"]', '["2024-01-02 03:04:05"]'],
  ['box[]', '{(3,4),(1,2);(1,1),(0,0)}', '["(3,4),(1,2)","(1,1),(0,0)"]'],
  ['amount', '3.5', 3.5, '3.5'],
  ['moods', '{happy,"so so"}', '["happy","so so"]', '{happy,"so so"}'],
  ['mood[]', '{happy,"so so"}', '["happy","so so"]', '{happy,"so so"}'],
  ['citext[]', '{A,b}', '["A","b"]', '{A,b}'],
  ['item', '(1,"x y",t)', '{"a":1,"b":"x y","c":1}', '(1,"x y",t)'],
  ['item', '(,"a ""q"" \\\\ ]",)', '{"a":null,"b":"a \\"q\\" \\\\ ]","c":null}', '(,"a ""q"" \\\\ ]",)'],
  ['item', '(1,a],f)', '{"a":1,"b":"a]","c":0}', '(1,a],f)'],
  ['item[]', '{"(1,a,t)",NULL}', '[{"a":1,"b":"a","c":1},null]', '{"(1,a,t)",NULL}'],
  [
    'parcel',
    '("(1,a,t)","{1,2.5}","2024-01-02 03:04:05Z")',
    '{"inner_item":{"a":1,"b":"a","c":1},"amounts":[1.0,2.5],"at":"2024-01-02T03:04:05.000000Z"}',
    '("(1,a,t)","{1,2.5}","2024-01-02 03:04:05+00")',
  ],
  ['nothing', '()', '{}', '()'],
  ['int4range', '[1,5)', '{"lower":1,"upper":5,"lower_exclusive":0,"upper_exclusive":1}', '[1,5)'],
  ['int4range', '(,5)', '{"lower":null,"upper":5,"lower_exclusive":1,"upper_exclusive":1}', '(,5)'],
  ['int4range', 'empty', 'empty'],
  [
    'tsrange',
    '["2024-01-02 03:04:05",infinity]',
    '{"lower":"2024-01-02T03:04:05.000000","upper":"9999-12-31T23:59:59.000000","lower_exclusive":0,"upper_exclusive":0}',
    '["2024-01-02 03:04:05",infinity]',
  ],
  [
    'int4range[]',
    '{"[1,5)",empty}',
    '[{"lower":1,"upper":5,"lower_exclusive":0,"upper_exclusive":1},"empty"]',
    '{"[1,5)",empty}',
  ],
  [
    'int4multirange',
    '{[1,3),[5,8)}',
    '[{"lower":1,"upper":3,"lower_exclusive":0,"upper_exclusive":1},{"lower":5,"upper":8,"lower_exclusive":0,"upper_exclusive":1}]',
    '{[1,3),[5,8)}',
  ],
  ['int4multirange', '{}', '[]', '{}'],
];

describe.each(sources)('values of %s', (_, open) => {
  let database: TestDatabase;

  beforeAll(async () => {
    const columns = cases.map(([type], at) => `c${at} ${type}`).join(', ');
    database = await open(`${setup} CREATE TABLE kinds (id int PRIMARY KEY, ${columns}, t text)`);
  });

  afterAll(() => database?.close());

  const insert = (id: number) =>
    database.sql(
      `INSERT INTO kinds VALUES ($1, ${cases.map(([type], at) => `$${at + 2}::text::${type}`).join(', ')})`,
      [id, ...cases.map(([, literal]) => literal)],
    );
  const expected = (id: number, choose: (one: Case) => SqlValue) => ({
    id: BigInt(id),
    ...Object.fromEntries(cases.map((one, at) => [`c${at}`, choose(one)])),
    t: null,
  });
  const kinds = [
    ['ISO dates and custom types', options, 1, ([, , iso]: Case) => iso],
    ['neither', plainOptions, 2, ([, , iso, plain]: Case) => (plain === undefined ? iso : plain)],
  ] as const satisfies readonly (readonly [string, Options, number, (one: Case) => SqlValue])[];

  test.each(kinds)('are the same however they come, with %s', async (_, choice, id, choose) => {
    const stream = database.stream({ slot: `powersync_kinds_${id}`, options: choice });
    await stream.prepare(neverAborted);
    const follower = follow(database.source, stream);
    await insert(id);
    const events = await follower.settled();
    const rows = events.flatMap((event) => (event.kind === 'insert' ? [{ ...event.row.values }] : []));
    expect(rows).toEqual([expected(id, choose)]);
    const table = await database.table('kinds');
    const pages = await copied(stream, table);
    const own = pages.flatMap((page) => page.rows.filter((row) => row.id === BigInt(id)));
    expect(own.map((row) => ({ ...row }))).toEqual([expected(id, choose)]);
    const again = await stream.refetch(table, [BigInt(id)], neverAborted);
    expect(again.map((row) => ({ ...row }))).toEqual([expected(id, choose)]);
    const query = selectRecord({ schema: 'public', name: 'kinds', key: 'id' });
    const answer = await database.source.query(query, [String(id)], neverAborted);
    expect(answer.rows.map(([text]) => ({ ...readRecord(text as string, choice) }))).toEqual([
      expected(id, choose),
    ]);
    await follower.stop();
  });
});
