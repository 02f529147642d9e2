import { expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { nameParts } from '../../../server/engine/plan/evaluate/names.ts';
import { toRowEvaluator } from '../../../server/engine/plan/evaluate/rows.ts';
import type { Row } from '../../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { type Random, randomFrom } from '../../differential/random.ts';
import { plansOf } from '../../support/engine/plans.ts';
import { casesOf } from '../../support/house/share.ts';

const cases = Number(process.env.HEADWATER_EVALUATION_CASES ?? casesOf(150));
const seed = Number(process.env.HEADWATER_EVALUATION_SEED ?? 4_000);
const table = { tag: 'default', schema: 'public', name: 'boats' };

/** An observer makes the evaluator try every rule and evaluate every condition. */
test(`rules that are selected or excluded by constants return the same rows as trying all rules, in ${cases} random configs from seed ${seed}`, () => {
  let given = 0;
  for (let at = seed; at < seed + cases; at++) {
    const random = randomFrom(at);
    const config = configOf(
      random.times(1, 14, () => `SELECT ${selected(random)} FROM boats ${where(random)}`),
    );
    const { plans, options } = plansOf(config);
    const evaluate = toConfigEvaluator(plans, { options }).rowsOf(table);
    const evaluateAll = toRowEvaluator(nameParts(plans, {}), table, {
      wholeKeys: options.fixedJsonExtract,
      sqliteEngine: options.sqliteEngine,
      observe: () => {},
    });
    for (const row of random.times(3, 6, () => boat(random))) {
      const result = evaluate(row);
      given += result.rows.length;
      expect({ at, result }).toEqual({ at, result: evaluateAll(row) });
    }
  }
  expect(given / cases).toBeGreaterThan(1);
});

test(`a row with any values is written as the expected JSON, in ${cases} random rows from seed ${seed}`, () => {
  const all = configOf(['SELECT * FROM boats', 'SELECT id, kind, owner, n, list FROM boats']);
  const { plans, options } = plansOf(all);
  const evaluate = toConfigEvaluator(plans, { options }).rowsOf(table);
  for (let at = seed; at < seed + cases; at++) {
    const row = boat(randomFrom(at));
    const [whole, named] = evaluate(row).rows.map(({ data }) => data);
    expect({ at, whole }).toEqual({ at, whole: jsonOf(row, Object.keys(row)) });
    expect({ at, named }).toEqual({ at, named: jsonOf(row, ['id', 'kind', 'owner', 'n', 'list']) });
  }
});

function configOf(queries: readonly string[]): string {
  const streams = queries.map(
    (query, i) =>
      `  s${i}:\n    accept_potentially_dangerous_queries: true\n    query: ${JSON.stringify(query)}\n`,
  );
  return `config:\n  edition: 3\nstreams:\n${streams.join('')}`;
}

function selected(random: Random): string {
  return random.pick([
    '*',
    'id, n',
    'id, upper(kind) AS kind, owner',
    'id, kind, "constructor"',
    'kind, kind AS again, id, n',
    'n, kind AS id, owner',
  ]);
}

function where(random: Random): string {
  const conditions = random.times(0, 2, () => condition(random));
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

function condition(random: Random): string {
  const kind = random.pick(['a', 'b', 'c', 'd', 'e', 'f', '1', quoted]);
  return random.choose<string>([
    [8, () => `kind = '${kind}'`],
    [2, () => `'${kind}' = kind`],
    [4, () => `n = ${random.int(3)}`],
    [1, () => 'n = true'],
    [3, () => `n = ${random.int(3)}.0`],
    [1, () => `n != ${random.int(3)}`],
    [1, () => `(kind = '${kind}' OR n = 1)`],
    [1, () => `"constructor" = '${kind}'`],
    [1, () => `json_extract(list, '$.x') = '${kind}'`],
    [2, () => 'owner = auth.user_id()'],
    [1, () => 'auth.user_id() IN list'],
    [1, () => `owner IN (SELECT owner FROM boats WHERE kind = '${kind}' AND id = auth.user_id())`],
  ]);
}

/** A value that needs escapes in JSON. */
const quoted = 'a "quoted" \\ one';

const values: readonly SqlValue[] = [
  ...['a', 'b', 'c', '1', '', quoted, 'a\nb', '\u0001', '\ud800', 'ü€😀', '{"x":"a"}', '["a","b"]'],
  ...[0n, 1n, 2n, -1n, 2n ** 70n],
  ...[0, -0, 1, 1.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY],
  ...[null, new Uint8Array([1])],
];

/** Returns a random row, with or without a prototype. Its columns are in any order, and some may be missing. */
function boat(random: Random): Row {
  const row: Record<string, SqlValue> = random.chance(0.5) ? {} : Object.create(null);
  for (const name of random.chance(0.5) ? ['id', 'kind', 'owner', 'n', 'list'] : ['n', 'kind', 'id'])
    if (random.chance(0.9))
      row[name] = random.pick(
        random.chance(0.5) ? values : name === 'n' ? [0n, 1n, 1] : ['a', 'b', 'c', quoted],
      );
  if (random.chance(0.2)) row.constructor = random.pick(values) as never;
  return row;
}

function jsonOf(row: Row, names: readonly string[]): string {
  const properties = names.flatMap((name) => {
    const value = row[name];
    return value === undefined || value instanceof Uint8Array
      ? []
      : [`${JSON.stringify(name)}:${textOf(value)}`];
  });
  return `{${properties.join(',')}}`;
}

function textOf(value: Exclude<SqlValue, Uint8Array>): string {
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value !== 'number' || !Number.isInteger(value)) return JSON.stringify(value);
  return `${value}`.includes('e') ? `${value}` : `${value}.0`;
}
