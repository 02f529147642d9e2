/** Values of tests have the form in which PostgreSQL would store them, and only values that it refuses are errors. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSqlFiles } from '../../../server/engine/index.ts';
import type { CatalogColumn } from '../../../server/engine/model/catalog.ts';
import { type Json, writeJson } from '../../../server/engine/plan/values/json.ts';
import { readRecord, selectRecords } from '../../../server/engine/plan/values/postgres/record.ts';
import { type SourceValue, toSqlValue } from '../../../server/engine/plan/values/source.ts';
import { storedValue } from '../../../server/engine/tests/stored/storedValue.ts';
import { options, plainOptions, type TestDatabase } from '../../service/replication/postgres/support.ts';
import { sources } from '../../service/replication/sources.ts';
import { casesOf } from '../../support/house/share.ts';

const seed = 7;
const valuesOfEach = casesOf(900);

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 12 });
const sign = fc.constantFrom('', '', '+', '-');
const space = fc.constantFrom('', '', '', ' ', '\t', '\n ', '\u00a0');

const written = (...parts: readonly fc.Arbitrary<unknown>[]) =>
  fc.tuple(...parts).map((each) => each.join(''));
const optional = (part: fc.Arbitrary<unknown>) => fc.option(part, { nil: '' });

const number = written(
  space,
  sign,
  fc.oneof(
    digits,
    fc.constantFrom('', '0', '00', '1', '5', '0x1f', '1_000', '32768', '2147483648', '9223372036854775807'),
  ),
  optional(written(fc.constant('.'), optional(digits))),
  optional(written(fc.constantFrom('e', 'E'), sign, fc.nat({ max: 330 }))),
  space,
);
const numbers = fc.oneof(
  { weight: 4, arbitrary: number },
  fc.double(),
  fc.float().map(String),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
  fc.constantFrom('NaN', 'nan', 'Infinity', '-inf', '+infinity', '-NaN', 'one', '', '1.5.2', '1e', '.', '-'),
);

const booleans = written(
  space,
  fc.constantFrom(
    ...'t,tr,tru,true,truth,f,fa,fals,false,y,ye,yes,yep,n,no,non,o,on,of,off,1,0,01,2,TRUE,Yes,oN,'.split(
      ',',
    ),
  ),
  space,
);

const two = (most: number) => fc.nat({ max: most }).map((each) => String(each).padStart(2, '0'));
const date = written(
  fc.constantFrom('2024', '2023', '1900', '2000', '0001', '0000', '9999', '26', '12024'),
  fc.constant('-'),
  two(13),
  fc.constant('-'),
  two(31),
);
const fraction = fc.string({ unit: fc.constantFrom(...'0195'), maxLength: 8 });
const clock = written(
  two(24),
  fc.constant(':'),
  two(60),
  optional(written(fc.constant(':'), two(61), optional(written(fc.constant('.'), fraction)))),
);
const zone = written(
  fc.constantFrom('', ' '),
  fc.oneof(
    fc.constantFrom('Z', 'z', 'UTC', 'Europe/Berlin', '+5'),
    written(fc.constantFrom('+', '-'), two(17), optional(written(fc.constantFrom('', ':'), two(61)))),
  ),
);
const times = fc.oneof(
  { weight: 2, arbitrary: written(space, date, space) },
  {
    weight: 6,
    arbitrary: written(space, date, fc.constantFrom(' ', 'T', 't', '  '), clock, optional(zone), space),
  },
  { weight: 2, arbitrary: written(space, clock, optional(zone)) },
  digits,
  fc.nat({ max: 99_999_999 }),
  fc.constantFrom(
    ...'now,soon,monday,jan,infinity,-infinity,inf,epoch,allballs,noon,true,today,am,J1,1/2/2024,2024-1-2,20240102'.split(
      ',',
    ),
  ),
);

const letter = fc.constantFrom(...'ab ,{}[]()"\\\'é🐈\n0', '  ', 'NULL');
const texts = fc.string({ unit: letter, maxLength: 6 });

const jsonTexts = fc.oneof(
  fc.jsonValue().map((each) => JSON.stringify(each, null, 1)),
  fc.dictionary(texts, fc.integer()).map((each) => JSON.stringify(each)),
  fc.array(number, { maxLength: 3 }).map((each) => `[${each.join(',')}]`),
  texts.map((each) => `{"a":${JSON.stringify(each)},"a":[true , null],"bb":{},"b":-0.5}`),
  fc.constantFrom(
    '"\\u0000"',
    '"\\ud800"',
    '"\\u00e9\\u007f\\u001f\\/"',
    "{'a':1}",
    '[1,]',
    '01',
    ' 1 ',
    'nul',
  ),
  texts,
);

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 4, maxLength: 4 });
const dash = fc.constantFrom('', '-');
const uuids = written(
  fc.constantFrom('', '', '', '{'),
  ...Array.from({ length: 7 }, () => written(hex, dash)),
  hex,
  fc.constantFrom('', '', '', '}', ' '),
);

const arrayOf = (item: fc.Arbitrary<SourceValue>): fc.Arbitrary<SourceValue> => {
  const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  const inText = item.map((each) => (typeof each === 'string' ? quote(each) : writeJson(each as Json)));
  const bare = fc.constantFrom('a', 'a b', 'null', 'NULL', '1', 't', '', '"', '\\', '{a}');
  const list = fc.array(written(space, fc.oneof(inText, bare), space), { maxLength: 3 });
  return fc.oneof(
    fc.array(fc.option(item, { freq: 4 }), { maxLength: 3 }),
    list.map((each) => `{${each.join(',')}}`),
    list.map((each) => `{{${each.join(',')}}}`),
    fc.constantFrom('[0:1]={1,2}', '{}', '{ }', ' {1} ', '{1}x', '', 'a', '{1,}', '{,1}', '["1"]'),
    item,
  );
};

const structures: fc.Arbitrary<SourceValue> = fc.oneof(
  fc.array(fc.constantFrom(1n, 'a', true, null), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'bb', 'é'), fc.constantFrom(1n, 1.5, 'a', true, null)),
);

const types: readonly (readonly [type: string, values: fc.Arbitrary<SourceValue>])[] = [
  ['boolean', booleans],
  ['smallint', numbers],
  ['INTEGER', numbers],
  ['bigint', numbers],
  ['oid', numbers],
  ['real', numbers],
  ['double precision', numbers],
  ['float(20)', numbers],
  ['numeric', numbers],
  ['numeric(5, 2)', numbers],
  ['decimal(12)', numbers],
  ['numeric(2,2)', numbers],
  ['money', numbers],
  ['text', texts],
  ['varchar', texts],
  ['varchar(3)', texts],
  ['character varying (4)', texts],
  ['char', texts],
  ['char(4)', texts],
  ['bpchar', texts],
  ['name', texts],
  ['public.citext', texts],
  ['mood', fc.oneof(texts, fc.constantFrom('glad', 'so so', 'GLAD', 'glad '))],
  ["text CHECK (v IN ('a', 'b'))", texts],
  ["char(2) CHECK (v IN ('a', 'b'))", texts],
  ["public.citext CHECK (v IN ('a', 'B'))", fc.oneof(texts, fc.constantFrom('A', 'a', 'b'))],
  ['amount', numbers],
  ['uuid', uuids],
  ['json', jsonTexts],
  ['jsonb', jsonTexts],
  ['bytea', fc.oneof(texts, written(fc.constant('\\x'), hex, fc.constantFrom('', 'a', ' ')))],
  ['date', times],
  ['time', times],
  ['time(2)', times],
  ['timetz', times],
  ['timestamp', times],
  ['timestamp(3) without time zone', times],
  ['timestamptz', times],
  ['timestamp (0) with time zone', times],
  ['interval', fc.oneof(texts, numbers, times)],
  ['inet', fc.oneof(texts, numbers)],
  ['bit', fc.string({ unit: fc.constantFrom('0', '1'), maxLength: 3 })],
  ['bit(3)', fc.string({ unit: fc.constantFrom('0', '1', 'x'), maxLength: 4 })],
  ['bit varying(3)', fc.string({ unit: fc.constantFrom('0', '1'), maxLength: 4 })],
  ['int4range', fc.oneof(texts, numbers)],
  ['int[]', arrayOf(numbers)],
  ['text[]', arrayOf(texts)],
  ['varchar(2)[]', arrayOf(texts)],
  ['boolean array', arrayOf(booleans)],
  ['jsonb[]', arrayOf(jsonTexts)],
  ['timestamptz[]', arrayOf(times)],
  ['numeric(4,1)[3]', arrayOf(numbers)],
  ['mood[]', arrayOf(texts)],
];

const setup = `CREATE EXTENSION IF NOT EXISTS citext;
CREATE TYPE mood AS ENUM ('glad', 'so so');
CREATE DOMAIN amount AS numeric CHECK (VALUE > 0);
CREATE FUNCTION try_insert(target text, number int, value text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  EXECUTE format('INSERT INTO %I VALUES (%L, %L)', target, number, value);
  RETURN true;
EXCEPTION WHEN OTHERS THEN RETURN false; END $$;`;

/** Returns the text that a program sends for a value. */
function sent(value: SourceValue): string {
  return typeof value === 'object' && value !== null ? writeJson(value as Json) : String(value);
}

function columnOf(sql: string): CatalogColumn {
  const column = readSqlFiles([{ path: 'a.sql', text: sql }])
    ?.catalog.tables.at(-1)
    ?.columns.get('v');
  if (column === undefined) throw new Error(sql);
  return column;
}

describe.each(sources)('%s', (_, open) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open(setup);
    await database.sql("SET TimeZone = 'UTC'");
  });
  afterAll(() => database?.close());

  test.each(types.map((each, at) => [each[0], each[1], at] as const))('%s', async (type, values, at) => {
    const table = `t${at}`;
    const ddl = `CREATE TABLE ${table} (id int PRIMARY KEY, v ${type});`;
    await database.sql(ddl);
    const column = columnOf(
      `CREATE TYPE mood AS ENUM ('glad', 'so so'); CREATE DOMAIN amount AS numeric; ${ddl}`,
    );
    const isList = type.endsWith(']') || type.endsWith('array');
    const all = fc.oneof(
      { weight: 12, arbitrary: values },
      fc.constantFrom<SourceValue>(true, false, 0n, 1n, 7n, 1.5),
      ...(isList ? [] : [structures]),
    );
    const samples = fc
      .sample(all, { seed: seed + at, numRuns: valuesOfEach })
      .filter((value) => !sent(value).includes('\0'));
    const arrays = samples.map((value) => (isList && Array.isArray(value) ? arrayText(value) : sent(value)));
    await database.sql(
      'SELECT try_insert($1, n::int, v) FROM unnest($2::text[]) WITH ORDINALITY AS e (v, n)',
      [table, arrays],
    );
    const records = await database.sql(selectRecords({ schema: 'public', name: table }), [
      '',
      '(0,0)',
      String(samples.length),
    ]);
    for (const each of [options, plainOptions]) {
      const rows = records.map(({ record }) => readRecord(String(record), each));
      const theirs = new Map(rows.map((row) => [Number(row?.id), row?.v]));
      const wrong = samples.flatMap((value, index) => {
        const judged = storedValue(value, column, each);
        const isStored = theirs.has(index + 1);
        const [ours, real] = [
          'value' in judged ? toSqlValue(judged.value, each) : judged,
          theirs.get(index + 1),
        ];
        if (judged.kind === 'unknown') return [];
        const isRight = judged.kind === 'stored' ? isStored && isSame(ours, real) : !isStored;
        return isRight ? [] : [{ value, ours, isStored, real }];
      });
      expect(wrong).toEqual([]);
    }
  });
});

function isSame(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}

/** Writes a list as drivers do. */
function arrayText(items: readonly SourceValue[]): string {
  const texts = items.map((item) => {
    if (item === null) return 'NULL';
    return Array.isArray(item) ? arrayText(item) : `"${sent(item).replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${texts.join(',')}}`;
}
