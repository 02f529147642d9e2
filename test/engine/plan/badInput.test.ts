import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ConfigEvaluator, toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import type { Expression } from '../../../server/engine/plan/expression.ts';
import { EvaluationFailure } from '../../../server/engine/plan/values/failure.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { finish } from '../../support/engine/evaluation.ts';
import { compileSql, edition3 } from '../../support/engine/stream.ts';
import { expectLinear } from '../../support/house/growth.ts';
import { casesOf } from '../../support/house/share.ts';

type Row = Readonly<Record<string, SqlValue>>;

const megabytes = 2 ** 20;
const seed = Number(process.env.HEADWATER_BAD_INPUT_SEED ?? 7);

describe('a row', () => {
  test('without the columns that the query names has NULL as their values, and omits the columns from its data', () => {
    expect(row('SELECT id, name, upper(kind) AS kind FROM t', { id: '1' })).toEqual([
      '{"id":"1","kind":null}',
    ]);
    expect(row("SELECT id FROM t WHERE kind = 'a'", { id: '1' })).toEqual([]);
  });

  test.each<[string, SqlValue, string]>([
    ['a number', 5n, 'json-each-not-text'],
    ['a blob', new Uint8Array([1]), 'json-each-not-text'],
    ['invalid JSON', '[1,', 'json-each-invalid-json'],
    ['an empty text', '', 'json-each-invalid-json'],
    ['deep JSON', '['.repeat(100_000) + ']'.repeat(100_000), 'json-each-invalid-json'],
    ['deep JSON without an end', '[{"a":'.repeat(100_000), 'json-each-invalid-json'],
    ['more elements than a row may have buckets', `[${'1,'.repeat(200_000)}1]`, 'too-many-results'],
  ])('with %s as a list fails', (_, list, code) => {
    expect(row('SELECT id FROM t WHERE auth.user_id() IN list', { id: '1', list })).toEqual([
      `failed: ${code}`,
    ]);
  });

  test('with two long lists does not fill the memory with their pairs', () => {
    const list = JSON.stringify(Array.from({ length: 5_000 }, (_, i) => i));
    const sql = 'SELECT id FROM t WHERE auth.user_id() IN a AND auth.user_id() IN b';
    expect(row(sql, { id: '1', a: list, b: list })).toEqual(['failed: too-many-results']);
  });

  test.each([
    ['upper(x)', 'ok'],
    ['length(hex(x))', 'ok'],
    ['length(base64(x))', 'ok'],
    ["instr(x, 'zz')", 'ok'],
    ['length(CAST(x AS blob))', 'ok'],
    ['CAST(x AS integer)', 'failed: value-too-large'],
    ['x + 1', 'failed: value-too-large'],
    ["x ->> 'a'", 'failed: value-too-large'],
    ['hex(hex(x))', 'failed: value-too-large'],
    [`length(${Array.from({ length: 40 }, () => 'x').join(' || ')})`, 'failed: value-too-large'],
  ])('with a value of 15 MB: %s', (expression, outcome) => {
    const [result = ''] = row(`SELECT id, ${expression} AS v FROM t`, {
      id: '1',
      x: '7'.repeat(15 * megabytes),
    });
    expect(result.startsWith('failed') ? result : 'ok').toBe(outcome);
  });

  test('keeps the digits of large integers', () => {
    const n = 10n ** 40n + 1n;
    expect(row('SELECT id, n, n * n AS m FROM t WHERE n > 1', { id: '1', n })).toEqual([
      `{"id":"1","n":${n},"m":${n * n}}`,
    ]);
  });

  test('whose columns have the names of object members is read correctly', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const record: Record<string, SqlValue> = Object.create(null);
    for (const name of names) record[name] = name;
    const columns = names.map((name) => `"${name}"`).join(', ');
    const all = `{${names.map((name) => `"${name}":"${name}"`).join(',')}}`;
    expect(row(`SELECT ${columns} FROM t`, record)).toEqual([all]);
    expect(row('SELECT * FROM t', record)).toEqual([all]);
    expect(row(`SELECT id, ${columns} FROM t WHERE "constructor" IS NULL`, { id: '1' })).toEqual([
      '{"id":"1"}',
    ]);
    expect(row('SELECT * FROM t', { id: '1' })).toEqual(['{"id":"1"}']);
  });

  test('for which one rule fails is still evaluated by the others', () => {
    const evaluator = toConfigEvaluator(
      [
        "SELECT id FROM t WHERE doc ->> 'a' = 1",
        'SELECT id, kind FROM t',
        'SELECT id FROM t WHERE 5 IN doc',
      ].map((sql, i) => planOf(sql, `s${i}`)),
      { options: edition3 },
    );
    const { rows, failures } = evaluator.rowsOf(table)({ id: '1', kind: 'a', doc: 'no JSON' });
    expect(rows.map(({ data }) => data)).toEqual(['{"id":"1","kind":"a"}']);
    expect(failures.map(({ stream, code }) => `${stream} ${code}`)).toEqual([
      's0 invalid-json',
      's2 json-each-invalid-json',
    ]);
  });
});

describe('a request', () => {
  const lists = "SELECT id FROM t WHERE org IN auth.parameter('orgs')";
  const own = 'SELECT id FROM t WHERE owner = auth.user_id()';

  test.each(['null', '5', '"text"', '[1,2]', 'true', '{}'])('with the claims %s gets nothing', (claims) => {
    expect(request(own, claims)).toEqual([]);
    expect(request(lists, claims)).toEqual([]);
    expect(request("SELECT id FROM t WHERE owner = auth.parameters() ->> 'sub'", claims)).toEqual([]);
  });

  test.each([
    ['{"orgs":5}', 'json-each-not-text'],
    ['{"orgs":true}', 'json-each-not-text'],
    ['{"orgs":"a"}', 'json-each-invalid-json'],
    [`{"orgs":${JSON.stringify(Array.from({ length: 100_001 }, (_, i) => i))}}`, 'too-many-results'],
  ])('with the claims %.20s fails', (claims, code) => {
    expect(request(lists, claims)).toEqual([`failed: ${code}`]);
  });

  test('with up to 100,000 elements in a claim takes linear time', () => {
    expectLinear((factor) => {
      const length = 10_000 * factor;
      const claims = JSON.stringify({ orgs: Array.from({ length }, (_, i) => `o${i}`) });
      expect(request(lists, claims)).toHaveLength(length);
    });
  });

  test('with nested claims gets the buckets of these claims', () => {
    const nested = `{"orgs":${'['.repeat(500)}${']'.repeat(500)},"sub":{"a":[1.0,{"b":null}]}}`;
    expect(request(own, nested)).toEqual(['s|0["{\\"a\\":[1.0,{\\"b\\":null}]}"]']);
    expect(request(lists, nested)).toEqual([`s|0["${'['.repeat(499)}${']'.repeat(499)}"]`]);
  });

  test.each(['', '{', '{"a":NaN}', '['.repeat(100_000), '{"a":1,"a":2}', '{"a":Infinity}'])(
    'with the unreadable claims %.20s is refused with a code',
    (claims) => expect(() => requestDocument(claims)).toThrow(new EvaluationFailure('invalid-json')),
  );

  test('with claims that have the names of object members is read correctly', () => {
    const sql = "SELECT id FROM t WHERE owner = auth.parameter('constructor')";
    expect(request(sql, '{}')).toEqual([]);
    expect(request(sql, '{"constructor":"u1"}')).toEqual(['s|0["u1"]']);
    expect(
      request("SELECT id FROM t WHERE owner = auth.parameter('__proto__')", '{"__proto__":"u1"}'),
    ).toEqual(['s|0["u1"]']);
  });

  test('for streams that do not exist, whatever their names, gets nothing', () => {
    const evaluator = toConfigEvaluator([planOf(own, 's')], { options: edition3 });
    expect(ask(evaluator, '{"sub":"u1"}', ['constructor', '__proto__', 'toString', ''])).toEqual([
      's|0["u1"]',
    ]);
  });

  test('for which one stream fails still gets the others', () => {
    const evaluator = toConfigEvaluator([planOf(lists, 'bad'), planOf(own, 'good')], { options: edition3 });
    expect(ask(evaluator, '{"orgs":5,"sub":"u1"}', [])).toEqual([
      'good|0["u1"]',
      'failed: json-each-not-text',
    ]);
  });
});

describe('a plan', () => {
  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'nope'])(
    'with a function named %s fails for each row',
    (name) => {
      const at = { text: 0, span: { start: 0, end: 0 } };
      const call: Expression = { kind: 'function', name, args: [], at };
      const plan = planOf('SELECT id FROM t');
      const withFilter = {
        ...plan,
        sources: plan.sources.map((source) => ({
          ...source,
          rules: source.rules.map((rule) => ({ ...rule, filter: [call] })),
        })),
      };
      const withExpansion = {
        ...plan,
        sources: plan.sources.map((source) => ({
          ...source,
          rules: source.rules.map((rule) => ({
            ...rule,
            expansions: [{ function: name, args: [call], at }],
          })),
        })),
      };
      expect(outcome(toConfigEvaluator([withFilter], { options: edition3 }), { id: '1' })).toEqual([
        'failed: function-not-evaluable',
      ]);
      expect(outcome(toConfigEvaluator([withExpansion], { options: edition3 }), { id: '1' })).toEqual([
        'failed: unknown-table-function',
      ]);
    },
  );
});

test('any row results in JSON, or in a failure with a code', () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.bigInt(),
    fc.double(),
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0),
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom('[NaN]', '[1e999]', '{"a":-1e999}', '\ud800', 'Infinity', '1e999', '{"a":"\\ud800"}'),
    fc.uint8Array({ maxLength: 8 }),
  );
  const evaluators = [
    'SELECT * FROM t',
    "SELECT a AS id, b || a AS c, a + b AS s, a / b AS q, a -> 'a' AS j, b ->> 'a' AS k FROM t",
    "SELECT a AS id, json_extract(b, '$.0') AS x, CAST(a AS numeric) * 1.5 AS n, datetime(a) AS d FROM t",
    'SELECT a AS id, substring(a, b) AS s, length(b) AS l, upper(a) AS u, hex(b) AS h FROM t WHERE b = auth.user_id()',
    'SELECT a AS id FROM t WHERE auth.user_id() IN b AND a NOT IN b',
  ].flatMap((sql) =>
    [false, true].map((sqliteEngine) =>
      toConfigEvaluator([planOf(sql, 's', sqliteEngine)], { options: { ...edition3, sqliteEngine } }),
    ),
  );
  fc.assert(
    fc.property(value, value, (a, b) => {
      for (const evaluator of evaluators) {
        const { rows, failures } = evaluator.rowsOf(table)({ a, b });
        for (const { bucket, data } of rows) {
          JSON.parse(data);
          JSON.parse(bucket.slice(bucket.indexOf('[')));
        }
        for (const { code } of failures) expect(code).toMatch(/^[a-z-]+$/);
      }
    }),
    { seed, numRuns: casesOf(400) },
  );
});

const table = { tag: 'default', schema: 'public', name: 't' };

function planOf(sql: string, name = 's', sqliteEngine = false) {
  const { plan, findings } = compileSql(sql, { name, options: { sqliteEngine } });
  if (plan === undefined) throw new Error(findings.join('\n'));
  return plan;
}

function row(sql: string, record: Row): readonly string[] {
  return outcome(toConfigEvaluator([planOf(sql)], { options: edition3 }), record);
}

function outcome(evaluator: ConfigEvaluator, record: Row): readonly string[] {
  const { rows, failures } = evaluator.rowsOf(table)(record);
  return [...rows.map(({ data }) => data), ...failures.map(({ code }) => `failed: ${code}`)];
}

function request(sql: string, claims: string): readonly string[] {
  return ask(toConfigEvaluator([planOf(sql)], { options: edition3 }), claims, []);
}

function ask(evaluator: ConfigEvaluator, claims: string, streams: readonly string[]): readonly string[] {
  const { buckets, failures } = finish(
    evaluator.request({
      claims: requestDocument(claims),
      connection: requestDocument('{}'),
      subscriptions: streams.map((stream) => ({ stream })),
      includeDefaults: true,
    }),
    [],
  );
  return [...buckets.map(({ bucket }) => bucket), ...failures.map(({ code }) => `failed: ${code}`)];
}
