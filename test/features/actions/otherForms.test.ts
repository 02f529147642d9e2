/** Fixes for expressions that other databases write differently. Each remedy in a message is also offered as a fix. */
import { describe, expect, test } from 'vitest';
import { analyze } from '../../../server/engine/index.ts';
import { functionAlternatives } from '../../../server/engine/sql/functions.ts';
import { operators } from '../../../server/engine/sql/operators.ts';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import { fixesOf } from '../../../server/features/actions/quickFixes.ts';
import { readCatalog } from '../../support/engine/catalog.ts';

const catalog = readCatalog(
  'create table tasks (id text not null, x integer, y integer, name text, list text, created text)',
);

const codes = new Set([
  'unknown-function',
  'unsupported-expression',
  'unsupported-operator',
  'wrong-argument-count',
  'like-not-supported',
  'sql-syntax',
]);

const worlds = {
  streams: (query: string) => `config:\n  edition: 3\nstreams:\n  mine:\n    query: |\n      ${query}\n`,
  'before 3': (query: string) => `bucket_definitions:\n  mine:\n    data:\n      - |\n        ${query}\n`,
};

type World = keyof typeof worlds;

/** Returns the query after each fix, by the title of the fix. */
function fixed(world: World, query: string): ReadonlyMap<string, string> {
  const analysis = analyze(worlds[world](query), { kind: 'sync', catalog });
  const fixes = analysis.findings
    .filter(({ code }) => codes.has(code))
    .flatMap((one) => fixesOf(analysis, one));
  return new Map(
    fixes.map(({ title, edits }) => [
      title,
      applyEdits(analysis.text, edits).trimEnd().split('\n').at(-1)?.trim() ?? '',
    ]),
  );
}

const values: readonly (readonly [world: World, before: string, after: string])[] = [
  ['streams', 'abs(x)', 'iif(x < 0, 0 - x, x)'],
  ['streams', 'ceil(x)', 'iif(x > CAST(x AS integer), CAST(x AS integer) + 1, CAST(x AS integer))'],
  ['streams', 'floor(x)', 'iif(x < CAST(x AS integer), CAST(x AS integer) - 1, CAST(x AS integer))'],
  ['streams', "coalesce(name, list, 'a')", "ifnull(name, ifnull(list, 'a'))"],
  ['streams', "concat_ws(' ', name, list)", "name || ' ' || list"],
  ['streams', "charindex('a', name)", "instr(name, 'a')"],
  ['streams', "locate('a', name)", "instr(name, 'a')"],
  ['streams', 'date(created)', 'substring(datetime(created), 1, 10)'],
  ['streams', 'year(created)', 'substring(datetime(created), 1, 4)'],
  ['streams', "date_part('month', created)", 'substring(datetime(created), 6, 2)'],
  ['streams', "date_trunc('day', created)", 'substring(datetime(created), 1, 10)'],
  ['streams', 'extract(year FROM created)', 'substring(datetime(created), 1, 4)'],
  ['streams', "encode(name, 'hex')", 'hex(name)'],
  ['streams', 'greatest(x, y)', 'iif(x > y, x, y)'],
  ['streams', 'least(x, y)', 'iif(x < y, x, y)'],
  ['streams', "json_extract_path_text(list, 'a', 'b')", "list -> 'a' ->> 'b'"],
  ['streams', "json_value(list, '$.a')", "json_extract(list, '$.a')"],
  ['streams', 'to_json(list)', 'list'],
  ['streams', 'left(name, 3)', 'substring(name, 1, 3)'],
  ['streams', 'right(name, 3)', 'substring(name, 0 - 3)'],
  ['streams', 'x + mod(y, 2)', 'x + (y - y / 2 * 2)'],
  ['streams', "nullif(name, '')", "iif(name = '', NULL, name)"],
  ['streams', 'octet_length(name)', 'length(CAST(name AS blob))'],
  ['streams', 'power(x, 3)', 'x * x * x'],
  ['streams', 'sign(x - y)', 'iif((x - y) > 0, 1, iif((x - y) < 0, 0 - 1, 0))'],
  ['streams', 'trunc(x)', 'CAST(x AS integer)'],
  ['streams', 'x ^ 2', 'x * x'],
  ['streams', "list #>> '{a,b}'", "list -> 'a' ->> 'b'"],
  ['streams', "created AT TIME ZONE 'UTC'", 'created'],
  ['streams', 'list[0]', 'list ->> 0'],
  ['streams', "upper(name, 'de')", 'upper(name)'],
  ['streams', "iif(x > 1, 'a')", "iif(x > 1, 'a', NULL)"],
  ['streams', 'ifnull(name)', 'name'],
  ['before 3', "CASE WHEN x > 1 THEN 'a' ELSE 'b' END", "iif(x > 1, 'a', 'b')"],
  ['before 3', "CASE x WHEN 1 THEN 'a' WHEN 2 THEN 'b' END", "iif(x = 1, 'a', iif(x = 2, 'b', NULL))"],
  ['before 3', 'x % 2', 'x - x / 2 * 2'],
  ['before 3', 'x << 3', 'x * 8'],
  ['before 3', '-x', '0 - x'],
  ['before 3', 'substring(name FROM 2 FOR 3)', 'substring(name, 2, 3)'],
  ['before 3', 'substring(name FOR 3)', 'substring(name, 1, 3)'],
];

const conditions: readonly (readonly [world: World, before: string, after: string])[] = [
  ['streams', "starts_with(name, 'ab')", "substring(name, 1, 2) = 'ab'"],
  ['streams', "array_contains(list, 'a')", "'a' IN list"],
  ['streams', 'name IN json_each(list)', 'name IN list'],
  ['streams', "name ILIKE 'Ab%'", "substring(lower(name), 1, 2) = 'ab'"],
  ['streams', "name ILIKE '%Ab%'", "instr(lower(name), 'ab') > 0"],
  ['streams', "name NOT LIKE '%b%'", "instr(name, 'b') = 0"],
  ['streams', "name NOT LIKE 'b%'", "name IS NOT NULL AND substring(name, 1, 1) != 'b'"],
  ['streams', "name ~ '^ab'", "substring(name, 1, 2) = 'ab'"],
  ['streams', "name ~* 'Ab'", "instr(lower(name), 'ab') > 0"],
  ['streams', "name ~ '^ab$'", "name = 'ab'"],
  ['streams', 'list @> \'["a"]\'', "'a' IN list"],
  ['streams', "list ? 'a'", "list -> 'a' IS NOT NULL"],
  [
    'streams',
    "x = 1 AND list ?| ARRAY['a', 'b']",
    "x = 1 AND (list -> 'a' IS NOT NULL OR list -> 'b' IS NOT NULL)",
  ],
  ['streams', 'name = current_user', 'name = auth.user_id()'],
  ['streams', "name IN ('a', 'b')", "name IN ARRAY['a', 'b']"],
  ['before 3', 'x BETWEEN 1 AND 2', 'x >= 1 AND x <= 2'],
  ['before 3', 'y = 1 OR x NOT BETWEEN 1 AND 2', 'y = 1 OR (x < 1 OR x > 2)'],
  ['before 3', "name IN ('a', 'b')", 'name IN \'["a", "b"]\''],
  ['before 3', "name NOT IN ('a', 'b')", "name != 'a' AND name != 'b'"],
  ['before 3', 'x IS TRUE', 'x = TRUE'],
];

describe('A selected value is rewritten', () => {
  test.each(values)('%s: %s → %s', (world, before, after) => {
    const texts = [...fixed(world, `SELECT id, ${before} AS v FROM tasks`).values()];
    expect(texts.map((text) => text.replace(/^SELECT id, (.*) AS v FROM tasks$/, '$1'))).toContain(after);
  });
});

describe('A condition is rewritten', () => {
  test.each(conditions)('%s: %s → %s', (world, before, after) => {
    const texts = [...fixed(world, `SELECT * FROM tasks WHERE ${before}`).values()];
    expect(texts.map((text) => text.replace('SELECT * FROM tasks WHERE ', ''))).toContain(after);
  });
});

describe('No fix is offered', () => {
  test.each([
    ['streams', "name LIKE 'a_c'"],
    ['streams', "name ~ 'a.c'"],
    ['streams', "name LIKE '%c'"],
    ['streams', 'power(x, y) = 1'],
    ['streams', "date_part('century', created) = '20'"],
    ['streams', "encode(name, 'escape') = 'a'"],
    ['before 3', 'name = current_user'],
  ] as const)('%s: %s', (world, condition) => {
    const titles = [...fixed(world, `SELECT * FROM tasks WHERE ${condition}`).keys()];
    expect(titles.filter((title) => !/^Write "/.test(title))).toEqual([]);
  });
});

/** Functions without a fix, because the remedy needs information that is not in the query. */
const noFix = new Set(
  `all any some unnest user_id exists format printf json_array_elements json_array_elements_text jsonb_array_elements
  jsonb_array_elements_text json_type array_position to_char strftime json_each`.split(/\s+/),
);

const samples: Readonly<Record<string, string>> = {
  date_part: "date_part('year', created)",
  date_trunc: "date_trunc('day', created)",
  encode: "encode(name, 'hex')",
  position: "position('a' IN name)",
  starts_with: "starts_with(name, 'a')",
  if: 'if(x > 1, x, y)',
  mid: 'mid(name, 1, 2)',
  substr: 'substr(name, 1, 2)',
};

test.each(
  [...functionAlternatives].filter(
    ([name, instead]) => /^Write/.test(instead) && !noFix.has(name) && !/^(?:current_|local)/.test(name),
  ),
)('%s: %s', (name) => {
  const calls = [
    ...(samples[name] === undefined ? [] : [samples[name]]),
    ...['name', 'name, list', "list, 'a'", "'a', name, list"].map((args) => `${name}(${args})`),
  ];
  const queries = calls.flatMap((call) => [
    `SELECT id, ${call} AS v FROM tasks`,
    `SELECT * FROM tasks WHERE ${call}`,
  ]);
  const found = queries.flatMap((query) => [...fixed('streams', query).keys()]);
  expect(found).not.toEqual([]);
});

/** Operators without a fix, because their message recommends another design. */
const noOperatorFix = new Set([
  '&',
  '|',
  '>>',
  '<<',
  '%',
  '&&',
  'CASE',
  'BETWEEN',
  'NOT BETWEEN',
  'NOT IN',
  'IS TRUE',
  'IS FALSE',
]);
const operands: Readonly<Record<string, string>> = {
  '^': 'x ^ 2',
  '@>': "list @> ARRAY['a']",
  '<@': "ARRAY['a'] <@ list",
  '?|': "list ?| ARRAY['a', 'b']",
  '?&': "list ?& ARRAY['a', 'b']",
  '#>>': "list #>> '{a,b}'",
  'AT TIME ZONE': "created AT TIME ZONE 'utc'",
};

test.each(
  [...operators.values()].filter(({ instead, op }) => instead !== undefined && !noOperatorFix.has(op)),
)('$op: $instead', ({ op }) => {
  const query = `SELECT id, ${operands[op] ?? `name ${op} 'ab'`} AS v FROM tasks`;
  expect([...fixed('streams', query).keys()]).not.toEqual([]);
});
