import { describe, expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { referenceRows } from '../../support/engine/referenceRows.ts';
import { compileSql, edition3 } from '../../support/engine/stream.ts';

/** The row for which every expression below is evaluated. */
const row: Readonly<Record<string, SqlValue>> = {
  id: '1',
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  b: new Uint8Array([0x31, 0x32]),
  j: '{"a":{"b":[1,2.0,1e2,12345678901234567890,"x",null,true]},"n":null,"big":12345678901234567890,"f":1.50,"neg":-0}',
  arr: '[1,2.0,{"a":1,"b":2.50},[1,2],"s",null,true]',
  five: 5n,
  object: '{"a":1}',
  point: '0101000000000000000000f03f0000000000000040',
};

/** Each expression with its value: the JSON text that clients get, or the code of the failure after `!`. */
const tables: Readonly<Record<string, readonly (readonly [expression: string, value: string])[]>> = {
  comparison: [
    [`'1' = 1`, '0'],
    [`1 = 1.0`, '1'],
    [`9007199254740993 = 9007199254740992.0`, '0'],
    [`1 < 'a'`, '1'],
    [`'a' < b`, '1'],
    [`b = '12'`, '0'],
    [`b = b`, '!blob-comparison'],
    [`b < b`, '!blob-comparison'],
    [`nan = nan`, '0'],
    [`nan < 1`, '1'],
    [`nan > 1`, '0'],
    [`NULL = NULL`, 'null'],
    [`'a' != NULL`, '1'],
    [`1 BETWEEN NULL AND 3`, 'null'],
    [`2 BETWEEN 1 AND 3`, '1'],
    [`2 NOT BETWEEN 1 AND NULL`, '1'],
    [`'b' >= 'a' AND 2 <= 2.0`, '1'],
  ],
  truth: [
    [`NOT NULL`, '1'],
    [`NULL AND 1`, '0'],
    [`NULL OR 0`, '0'],
    [`'1abc' AND ' 1' AND '+1'`, '1'],
    [`'0.5' OR 'true' OR '' OR '-' OR b`, '0'],
    [`iif(nan, 'y', 'n')`, '"n"'],
    [`'0x1F' AND ' 0XA' AND 1`, '1'],
    [`'0x0' OR '0x' OR '0xg'`, '0'],
    [`5 IS TRUE`, '0'],
    [`1.0 IS TRUE`, '1'],
    [`NULL IS NOT TRUE`, '1'],
    [`0 IS FALSE`, '1'],
    [`missing IS NULL`, '1'],
    [`0 AND ('x' ->> 'a')`, '!invalid-json'],
    [`1 OR ('x' ->> 'a')`, '!invalid-json'],
  ],
  arithmetic: [
    [`-7 / 2`, '-3'],
    [`7 / 2.0`, '3.5'],
    [`1 / 0`, 'null'],
    [`1.0 / 0`, 'null'],
    [`9223372036854775807 + 1`, '9223372036854775808'],
    [`'5x' + 1`, '6'],
    [`'1e3' + 1`, '1001.0'],
    [`'1e' + 1`, '2'],
    [`'.5' + 1`, '1.5'],
    [`' 5' + '+5'`, '10'],
    [`'--5' + 1`, '1'],
    [`'0x10' + 1`, '1'],
    [`b + 1`, '13'],
    [`1.0 + 1`, '2.0'],
    [`NULL + 1`, 'null'],
  ],
  text: [
    [`'a' || 1.0 || b`, '"a112"'],
    [`inf || ''`, '"Infinity"'],
    [`NULL || 'a'`, 'null'],
    [`upper('straße')`, '"STRASSE"'],
    [`length('😀')`, '2'],
    [`length(b)`, '2'],
    [`length(1.5)`, '3'],
    [`substring('hello', 2, 3)`, '"ell"'],
    [`substring('hello', -10, 3)`, '"hel"'],
    [`substring('hello', -3)`, '"llo"'],
    [`substring('hello', 0)`, '"hello"'],
    [`substring('hello', 0, 2)`, '"h"'],
    [`substring('hello', 2, -1)`, '"h"'],
    [`substring('hello', 4, -2)`, '"el"'],
    [`substring('hello', 1.9, 2.9)`, '"he"'],
    [`substring('hello', '2')`, '"ello"'],
    [`substring('hello', 'x')`, '"hello"'],
    [`substring('hello', '1e3')`, '"hello"'],
    [`substring('hello', 2, '1e3')`, '"e"'],
    [`substring('hello', -2.5)`, '"llo"'],
    [`substring('hello', nan)`, '!value-too-large'],
    [`substring('hello', NULL)`, 'null'],
    [`instr('abc', '')`, '1'],
    [`instr('abc', 'c')`, '3'],
    [`instr(b, b)`, '1'],
    [`instr(123, 2)`, '2'],
    [`hex(1.5)`, '"312E35"'],
    [`hex(NULL)`, '""'],
    [`base64('hé')`, '"aMOp"'],
    [`typeof(b) || typeof(1.0) || typeof(NULL)`, '"blobrealnull"'],
  ],
  casts: [
    [`CAST(1.0 AS text)`, '"1"'],
    [`CAST(-1.5 AS integer)`, '-2'],
    [`CAST('1e3' AS integer)`, '1'],
    [`CAST(inf AS integer)`, '!value-too-large'],
    [`CAST(nan AS integer)`, '!value-too-large'],
    [`CAST('1e3' AS numeric)`, '1000.0'],
    [`CAST('12' AS numeric)`, '12'],
    [`CAST('x' AS real)`, '0.0'],
    [`CAST(b AS integer)`, '12'],
    [`typeof(CAST(1 AS blob))`, '"blob"'],
    [`NULL::text`, 'null'],
  ],
  JSON: [
    [`j -> 'a'`, '"{\\"b\\":[1,2.0,100.0,12345678901234567890,\\"x\\",null,true]}"'],
    [`j ->> '$.a.b.3'`, '12345678901234567890'],
    [`j ->> '$.a.b.1'`, '2.0'],
    [`j ->> '$.a.b.6'`, '1'],
    [`j -> 'n'`, '"null"'],
    [`j ->> 'n'`, 'null'],
    [`j -> 'missing'`, 'null'],
    [`j ->> 'f'`, '1.5'],
    [`j ->> 'neg'`, '0'],
    [`arr -> 2`, '"{\\"a\\":1,\\"b\\":2.5}"'],
    [`arr ->> '4'`, '"s"'],
    [`arr -> -1`, 'null'],
    [`'[1]' ->> '$[0]'`, '"[1]"'],
    [`json_extract(j, '$.big')`, '12345678901234567890'],
    [`json_extract(j, 'big')`, '!json-path-needs-dollar'],
    [`json_array_length(arr)`, '7'],
    [`json_array_length(j, '$.a.b')`, '7'],
    [`json_array_length(j, '$.zz')`, 'null'],
    [`json_array_length('5')`, '0'],
    [`json_array_length(arr, NULL)`, '7'],
    [`json_array_length('nope', NULL)`, '!invalid-json'],
    [`json_keys('{"b":1,"2":0,"1":0}')`, '"[\\"1\\",\\"2\\",\\"b\\"]"'],
    [`json_keys('[1]')`, '!json-keys-not-object'],
    [`json_keys('null')`, '!json-keys-not-object'],
    [`'nope' ->> 'a'`, '!invalid-json'],
    [`'{"a":1,"a":2}' ->> 'a'`, '!invalid-json'],
    [`'{"a":1,"a":1}' ->> 'a'`, '1'],
    [`'01' ->> '$'`, '!invalid-json'],
    [`'-0.0' -> '$'`, '"0.0"'],
    [`5 ->> '$'`, '5'],
  ],
  lists: [
    [`1 NOT IN '[1,2]'`, '0'],
    [`NULL NOT IN '[1]'`, '1'],
    [`1 NOT IN NULL`, '1'],
    [`'[1]' NOT IN '[[1]]'`, '0'],
    [`1 NOT IN object`, '!not-a-json-array'],
    [`1 NOT IN five`, '!not-a-json-array'],
    [`1 IN ARRAY[NULL, 2]`, 'null'],
    [`NULL IN ARRAY[]`, 'null'],
    [`1 IN ARRAY[]`, '0'],
    [`1 IN ARRAY[1.0]`, '1'],
    [`2 NOT IN ARRAY[1, NULL]`, '1'],
    [`1 IN ARRAY[1, 'x' ->> 'a']`, '1'],
  ],
  choices: [
    [`CASE WHEN 1 THEN 'a' ELSE 'x' ->> 'a' END`, '"a"'],
    [`CASE NULL WHEN NULL THEN 1 ELSE 2 END`, '2'],
    [`CASE 1 WHEN 1.0 THEN 'y' END`, '"y"'],
    [`CASE WHEN 'true' THEN 1 END`, 'null'],
    [`ifnull(NULL, 2)`, '2'],
    [`ifnull(1, 'x' ->> 'a')`, '!invalid-json'],
    [`iif(1, 1, 'x' ->> 'a')`, '!invalid-json'],
  ],
  dates: [
    [`datetime('2024-01-02 03:04:05.6789', 'subsec')`, '"2024-01-02 03:04:05.678"'],
    [`datetime('2024-01-02T03:04')`, '"2024-01-02 03:04:00"'],
    [`datetime('2024-01-02 03:04:05+02:00')`, '"2024-01-02 01:04:05"'],
    [`datetime(2460000.5)`, '"2023-02-25 00:00:00"'],
    [`datetime('2460000.5')`, '"2023-02-25 00:00:00"'],
    [`unixepoch(1700000000, 'unixepoch')`, '1700000000'],
    [`unixepoch(1700000000, 'unixepoch', 'subsec')`, '1700000000.0'],
    [`datetime('1700000000', 'unixepoch')`, 'null'],
    [`datetime('2024-01-02', NULL)`, '"2024-01-02 00:00:00"'],
    [`datetime('2024-01-02', 'SUBSEC')`, 'null'],
    [`datetime(1700000000, 'subsec', 'unixepoch')`, 'null'],
    [`unixepoch('1969-12-31 23:59:59.5')`, '-1'],
    [`unixepoch('1969-12-31 23:59:59.5', 'subsec')`, '-0.5'],
    [`datetime('2024-02-30')`, '"2024-03-01 00:00:00"'],
    [`datetime('2023-02-29 12:00')`, '"2023-03-01 12:00:00"'],
    [`unixepoch('2024-04-31')`, '1714521600'],
    [`datetime('2024-02-32')`, 'null'],
    [`datetime('2024-02')`, '"2024-02-01 00:00:00"'],
    [`datetime('2024-1-2')`, '"2024-01-02 00:00:00"'],
    [`datetime('10000-01-01')`, '"+010000-01-01 00:00:00"'],
    [`datetime('2024-01-02 24:00')`, '"2024-01-03 00:00:00"'],
    [`datetime('2024-01-02 24:00:01')`, 'null'],
    [`datetime('2024-01-02Z')`, '"2024-01-02 00:00:00"'],
    [`datetime('2024-01-02 03:04:05 +02:00')`, '"2024-01-02 01:04:05"'],
    [`datetime('2024-01-02 03:04+01:60')`, 'null'],
    [`datetime(0.00000015)`, '"-4713-11-24 12:00:00"'],
    [`datetime('2024-13-01')`, 'null'],
    [`datetime('now')`, 'null'],
  ],
  'UUIDs and geometries': [
    [`hex(uuid_blob('01234567-89ab-1cde-8f01-23456789abcd'))`, '"0123456789AB1CDE8F0123456789ABCD"'],
    [`uuid_blob('nope')`, '!invalid-uuid'],
    [`st_x(point)`, '1.0'],
    [`st_astext(point)`, '"POINT(1 2)"'],
    [`st_asgeojson(point)`, '"{\\"type\\":\\"Point\\",\\"coordinates\\":[1.0,2.0]}"'],
    [`st_x('zz')`, '!invalid-geometry'],
    [`st_x(5)`, 'null'],
  ],
};

for (const [name, cases] of Object.entries(tables)) {
  describe(name, () => {
    test.each(cases)('%s is %s', (expression, value) => expect(ours(expression)).toBe(value));
  });
}

test('the reference engine agrees with all of these values', () => {
  const expressions = Object.values(tables).flatMap((cases) => cases.map(([expression]) => expression));
  const streams = expressions.map((expression, i) => {
    const query = JSON.stringify(`SELECT id, ${expression} AS v FROM t${i}`);
    return `  s${i}:\n    auto_subscribe: true\n    query: ${query}\n`;
  });
  const evaluate = referenceRows(`config:\n  edition: 3\nstreams:\n${streams.join('')}`);
  const theirs = expressions.map((expression, i) => {
    const { rows, failed } = evaluate(`t${i}`, row);
    return `${expression} is ${failed ? '!' : theirText(rows[0]?.data.v)}`;
  });
  expect(theirs).toEqual(
    expressions.map((expression) => `${expression} is ${ours(expression).replace(/^!.*/, '!')}`),
  );
});

function ours(expression: string): string {
  const { plan, findings } = compileSql(`SELECT id, ${expression} AS v FROM t`);
  if (plan === undefined) throw new Error(findings.join('\n'));
  const { rowsOf } = toConfigEvaluator([plan], { options: edition3 });
  const { rows, failures } = rowsOf({ tag: 'default', schema: 'public', name: 't' })(row);
  if (failures[0] !== undefined) return `!${failures[0].code}`;
  return /^\{"id":"1"(?:,"v":(.*))?\}$/s.exec(rows[0]?.data ?? '')?.[1] ?? 'left out';
}

/** Writes a value as clients get it, because the reference's own conversion to JSON is not available here. */
function theirText(value: SqlValue | undefined): string {
  if (value === undefined) return 'left out';
  if (typeof value === 'number') return Number.isInteger(value) ? `${value || 0}.0` : String(value);
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
