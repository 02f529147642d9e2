import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { writeReal } from '../../../server/engine/plan/values/json.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { randomFrom } from '../../differential/random.ts';
import { randomExpression } from '../../support/engine/sqliteExpressions.ts';
import { compileSql, edition3 } from '../../support/engine/stream.ts';
import { casesOf } from '../../support/house/share.ts';

/** Expressions under `unstable_sqlite_expression_engine` have the same values as in SQLite itself. */
const options = { ...edition3, sqliteEngine: true };

const row: Readonly<Record<string, SqlValue>> = {
  id: '1',
  nil: null,
  zero: 0n,
  one: 1n,
  five: 5n,
  minus: -5n,
  most: 9_223_372_036_854_775_807n,
  half: 0.5,
  whole: 1,
  tiny: 1.5e-7,
  huge: 1e17,
  inf: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
  word: 'hello',
  odd: 'a😀b',
  digits: '12abc',
  fraction: '0.5',
  power: '1e3',
  bytes: new Uint8Array([0x31, 0x32]),
  other: new Uint8Array([0x32]),
  j: '{"a":{"b":[1,2.0,100.5,"x",null,true]},"x.y":3,"n":null,"big":12345678901234567890}',
  list: '[1,2.5,"s",null]',
};

const tables: Readonly<Record<string, readonly string[]>> = {
  'three-valued logic': [
    'NOT nil',
    'nil AND 1',
    'nil AND 0',
    'nil OR 1',
    'nil OR 0',
    'NOT (nil AND zero)',
    `fraction AND 1`,
    `bytes AND one`,
    `NOT word`,
    `NOT digits`,
    'nil != 1',
    'nil = nil',
    'five IS TRUE',
    'one IS TRUE',
    'whole IS TRUE',
    'five IS NOT TRUE',
    'zero IS FALSE',
    'minus IS NOT FALSE',
    "'' IS FALSE",
    "CAST('1' AS numeric) IS TRUE",
    'CAST(one AS text) IS TRUE',
    'nil IS TRUE',
    'nil IS FALSE',
    'nil IS NOT FALSE',
    'nil IS NOT TRUE',
    'word IS FALSE',
    'nil IS NULL',
    'nil BETWEEN 1 AND 2',
    'five BETWEEN nil AND 2',
    'five NOT BETWEEN nil AND 2',
  ],
  arithmetic: [
    'five % 3',
    'minus % 3',
    'five % 0',
    'five % -1',
    '5.5 % 2',
    'power % 7',
    'five & 3',
    '5.9 & 7',
    'power & 1023',
    'bytes | 1',
    'one << 62',
    'one << 64',
    'one << -1',
    'minus >> 1',
    'minus >> 70',
    'most + 1',
    'most * 2',
    'most - minus',
    'five / 2',
    'nan',
    'nan + 1',
    'nan IS NULL',
    'minus / 2',
    'five / 2.0',
    'five / 0',
    'five / 0.0',
    'inf - inf',
    'digits + 1',
    'power + 1',
    'bytes + 1',
    'nil + 1',
  ],
  text: [
    "whole || ''",
    "half || ''",
    "tiny || ''",
    "huge || ''",
    "inf || ''",
    "bytes || 'x'",
    'bytes || bytes',
    'nil || 1',
    'length(odd)',
    'length(bytes)',
    'length(whole)',
    'upper(odd)',
    "upper('straße')",
    "lower('ÄB')",
    'substring(word, 2, 3)',
    'substring(word, -10, 3)',
    'substring(word, -3)',
    'substring(word, -3, 2)',
    'substring(word, 0)',
    'substring(word, 0, 2)',
    'substring(word, 4, -2)',
    'substring(word, -2, -2)',
    'substring(odd, 2, 1)',
    'substring(bytes, 1, 1)',
    'substring(12345, 2)',
    'substring(word, 1.9, 2.9)',
    'substring(word, nil)',
    "instr(odd, 'b')",
    "instr(odd, 'zz')",
    "instr(word, '')",
    'instr(bytes, other)',
    "instr(bytes, '2')",
    'instr(12345, 34)',
    'hex(whole)',
    'hex(odd)',
    'hex(bytes)',
    'hex(nil)',
    'typeof(whole)',
  ],
  casts: [
    'CAST(-1.5 AS integer)',
    'CAST(inf AS integer)',
    'CAST(huge AS integer)',
    'CAST(digits AS integer)',
    'CAST(power AS integer)',
    'CAST(power AS numeric)',
    "CAST('1.0' AS numeric)",
    "CAST('1.5' AS numeric)",
    "CAST('99999999999999999999' AS integer)",
    "CAST('99999999999999999999' AS numeric)",
    'CAST(whole AS numeric)',
    'CAST(whole AS text)',
    'CAST(bytes AS text)',
    'CAST(bytes AS integer)',
    'CAST(five AS real)',
    'CAST(nil AS text)',
    'hex(CAST(whole AS blob))',
    'CAST(word AS blob)',
  ],
  comparison: [
    "five = '5'",
    "CAST('5' AS integer) = '5'",
    "CAST(five AS text) = '5'",
    "five = CAST('5' AS text)",
    "5 = CAST('5' AS text)",
    "CAST(five AS integer) = ' 5 '",
    "CAST(five AS integer) = '5x'",
    'five = 5.0',
    'bytes = bytes',
    'bytes < other',
    "bytes > 'zzz'",
    'one < word',
    "odd < 'a\uffff'",
    "CAST('1' AS integer) BETWEEN '0' AND '2'",
    "CASE CAST('1' AS integer) WHEN '1' THEN 'y' ELSE 'n' END",
    "CASE nil WHEN nil THEN 'y' ELSE 'n' END",
    "CASE WHEN fraction THEN 'y' ELSE 'n' END",
    'CASE WHEN nil THEN 1 END',
  ],
  choices: [
    "ifnull(one, json_extract(word, '$'))",
    'ifnull(nil, five)',
    "iif(one, 2, json_extract(word, '$'))",
    "iif(nil, 2, 'no')",
  ],
  JSON: [
    "j ->> '$.a.b[1]'",
    "j ->> '$.a.b[#-1]'",
    "j ->> '$.a.b[#-2]'",
    "j ->> '$.a.b[#]'",
    "j ->> '$.a.b[9]'",
    `j ->> '$."x.y"'`,
    "j ->> 'x.y'",
    "j -> '$.a'",
    "j -> 'n'",
    "j ->> 'n'",
    "j -> 'zz'",
    "j ->> '$.a.b[5]'",
    "j ->> '$'",
    "j ->> 'big'",
    'j ->> 0',
    'list -> 1',
    'list -> -2',
    "list ->> '1'",
    "list ->> '[1]'",
    "list ->> '$[2]'",
    "'\"s\"' -> '$'",
    "five ->> '$'",
    "json_extract(j, '$.a.b[3]')",
    "json_extract(j, '$.a', '$.n', '$.zz')",
    "json_extract(j, 'a')",
    "json_extract(j, '$a')",
    "json_extract(word, '$')",
    "json_extract(nil, '$')",
    'json_array_length(list)',
    "json_array_length(j, '$.a.b')",
    "json_array_length(j, '$.zz')",
    "json_array_length('5')",
    'json_array_length(word)',
    'json_array_length(word, NULL)',
    'json_array_length(list, NULL)',
    "'{a:1}' ->> 'a'",
    `'{$b:1,_c:[1,2,],}' ->> '$._c'`,
    `'[+1,.5,5.,-.5,0x1F,-0x1f,Infinity,-inf,NaN]' ->> '$[#-4]'`,
    `'[+1,.5,5.,-.5,0x1F,-0x1f,Infinity,-inf,NaN]' ->> '$[#-3]'`,
    `'[+1,.5,5.,-.5,0x1F,-0x1f,Infinity,-inf,NaN]' ->> '$[#-1]'`,
    `'.5' ->> '$'`,
    `'5.' ->> '$'`,
    `'/*c*/ [1] // d' ->> 0`,
    `'[1,,2]' ->> 0`,
    `'[,]' ->> 0`,
    `'{,}' ->> 0`,
    `'{a-b:1}' ->> 'a'`,
    `'/* x' ->> 0`,
    `'01' ->> '$'`,
    `'0x' ->> '$'`,
    `'True' ->> '$'`,
    `'"\\x41\\v\\0"' ->> '$'`,
    `'"\\q"' ->> '$'`,
    `'"\\01"' ->> '$'`,
    `'["a	b"]' ->> 0`,
    `'["a\\
b"]' ->> 0`,
    `'1;' ->> '$'`,
    "json_array_length('[1,]')",
  ],
};

for (const [name, expressions] of Object.entries(tables)) {
  describe(name, () => {
    test.each(expressions)('%s', (expression) => expect(ours(expression)).toBe(sqlites(expression)));
  });
}

const cases = casesOf(1_500);
const seed = Number(process.env.HEADWATER_SQLITE_SEED ?? 1);
// `most` is excluded, because not all versions of SQLite write all digits of a 64-bit integer as a REAL.
const columns = Object.keys(row).filter(
  (name) => !['id', 'most', 'inf', 'nan', 'tiny', 'j', 'list'].includes(name),
);

test(`${cases} random expressions from seed ${seed} have the same values as in SQLite`, {}, () => {
  for (let at = seed; at < seed + cases; at++) {
    const expression = randomExpression(randomFrom(at), columns);
    expect(`${expression} is ${ours(expression)}`).toBe(`${expression} is ${sqlites(expression)}`);
  }
});

describe('lists, which SQLite writes differently', () => {
  test.each([
    ['five IN ARRAY[1, 5]', 'five IN (1, 5)'],
    ['five IN ARRAY[1, NULL]', 'five IN (1, NULL)'],
    ['nil IN ARRAY[1]', 'nil IN (1)'],
    ['five NOT IN ARRAY[1, NULL]', 'five NOT IN (1, NULL)'],
    ["one IN ARRAY['1']", "one IN ('1')"],
    ["CAST('1' AS integer) IN ARRAY['1']", "CAST('1' AS integer) IN ('1')"],
    ["one NOT IN '[2, 3]'", 'one NOT IN (2, 3)'],
    // Nulls in a JSON list do not count as elements.
    ["one NOT IN '[2, null]'", 'one NOT IN (2)'],
    ["one NOT IN '[1, null]'", 'one NOT IN (1)'],
    ["nil NOT IN '[2]'", 'nil NOT IN (2)'],
  ])('%s is %s', (expression, same) => expect(ours(expression)).toBe(sqlites(same)));

  test('an empty list fails, because such a statement cannot be run', () =>
    expect(ours('one IN ARRAY[]')).toBe('failed'));
});

test('a row that lacks a column fails', () => {
  expect(codesFor('missing + 1')).toEqual(['missing-column']);
  expect(codesFor('missing')).toEqual(['missing-column']);
});

test('json_each() of a number has the number as its only element', () => {
  const { rows, failures } = evaluate(
    "SELECT t.id FROM t, json_each(t.five) AS e WHERE e.value = auth.parameter('n')",
  );
  expect([rows.map(({ bucket }) => bucket), failures]).toEqual([['s|0[5]'], []]);
});

test('a condition that is NULL excludes the row', () => {
  const { rows } = evaluate("SELECT id FROM t WHERE nil != 'x'");
  expect(rows).toEqual([]);
});

function ours(expression: string): string {
  const { rows, failures } = evaluate(`SELECT id, typeof(${expression}) AS t, ${expression} AS v FROM t`);
  return failures.length > 0 ? 'failed' : (rows[0]?.data ?? '').replace(/^\{"id":"1",(.*)\}$/s, '$1');
}

function codesFor(expression: string): readonly string[] {
  return evaluate(`SELECT id, ${expression} AS v FROM t`).failures.map(({ code }) => code);
}

function evaluate(sql: string) {
  const { plan, findings } = compileSql(sql, { options });
  if (plan === undefined) throw new Error(findings.join('\n'));
  return toConfigEvaluator([plan], { options }).rowsOf({ tag: 'default', schema: 'public', name: 't' })(row);
}

function sqlites(expression: string): string {
  const database = new DatabaseSync(':memory:');
  try {
    const names = Object.keys(row);
    database.function('upper', { deterministic: true }, (x) => caseless(x)?.toUpperCase() ?? null);
    database.function('lower', { deterministic: true }, (x) => caseless(x)?.toLowerCase() ?? null);
    database.exec(`CREATE TABLE t (${names.join(', ')})`);
    database
      .prepare(`INSERT INTO t VALUES (${names.map(() => '?').join(', ')})`)
      .run(...names.map((name) => row[name] as SqlValue));
    // The service writes `x IS TRUE` as `x IS 1`.
    const sql = expression.replace(
      /\bIS (NOT )?(TRUE|FALSE)\b/g,
      (_, not = '', word) => `IS ${not}${word === 'TRUE' ? 1 : 0}`,
    );
    const statement = database.prepare(`SELECT typeof(${sql}) AS t, ${sql} AS v FROM t`);
    statement.setReadBigInts(true);
    const { t, v } = statement.get() as { t: string; v: SqlValue };
    return `"t":${JSON.stringify(t)}${v instanceof Uint8Array ? '' : `,"v":${written(v)}`}`;
  } catch {
    return 'failed';
  } finally {
    database.close();
  }
}

/**
 * Converts the argument of upper() or lower() to text. A whole number has no `.0`, because an engine whose upper() and
 * lower() are written in JavaScript gets it as a JavaScript number.
 */
function caseless(value: SQLOutputValue): string | undefined {
  if (value === null) return undefined;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}

function written(value: Exclude<SqlValue, Uint8Array>): string {
  if (typeof value === 'number') return writeReal(value);
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
