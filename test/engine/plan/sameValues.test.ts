import { describe, expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { writeReal } from '../../../server/engine/plan/values/json.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { plansOf } from '../../support/engine/plans.ts';
import { referenceRows } from '../../support/engine/referenceRows.ts';

/** Grids of expressions that have the same values as in the reference, in each edition. */
type Row = Readonly<Record<string, SqlValue>>;

/** The reference cannot read a member that is a text as JSON for its length, and fails the row. */
const throwsThere = `json_array_length('{"a":"x"}', '$.a')`;

const documents = [
  '{"a":null}',
  '{"a":{}}',
  '{"a":{"b":null}}',
  '{"a":[null]}',
  '{"a":5}',
  '{"a":"x"}',
  'null',
  '[null]',
  '{"a":[]}',
  '{"a":false}',
];
const paths = ['$', '$.a', 'a', 'a.b', '$.a.b', '$.a.b.c', '$.a[0]', '$.a[0].x', '$[0]', '$.x', '$.x.y'];
const moments = [
  '0',
  '100',
  '1538440',
  '1700000',
  '1721059',
  '1721060',
  '9999999',
  '-10000000',
  "'2023'",
  "'2024-02-29T12:34:56Z'",
  "'x'",
  "''",
  '12.5',
];

const grids: Readonly<Record<string, readonly string[]>> = {
  'members of JSON': documents.flatMap((document) =>
    paths.flatMap((path) => [`'${document}' -> '${path}'`, `'${document}' ->> '${path}'`]),
  ),
  'functions of JSON': documents.flatMap((document) => [
    `json_array_length('${document}')`,
    ...paths
      .filter((path) => path.startsWith('$'))
      .flatMap((path) => [
        `json_extract('${document}', '${path}')`,
        `json_array_length('${document}', '${path}')`,
      ])
      .filter((expression) => expression !== throwsThere),
  ]),
  dates: moments.flatMap((moment) => [
    `datetime(${moment})`,
    `unixepoch(${moment})`,
    `datetime(${moment}, 'unixepoch')`,
    `unixepoch(${moment}, 'unixepoch')`,
    `datetime(${moment}, 'unixepoch', 'subsec')`,
  ]),
};

const editions: Readonly<Record<string, (sql: string) => string>> = {
  'edition 1': (sql) => `bucket_definitions:\n  s:\n    data:\n      - ${sql}\n`,
  'edition 2': (sql) => streamOf(2, sql),
  'edition 3': (sql) => streamOf(3, sql),
};

function streamOf(edition: number, sql: string): string {
  return `config:\n  edition: ${edition}\nstreams:\n  s:\n    auto_subscribe: true\n    query: ${sql}\n`;
}

describe.each(Object.keys(editions))('%s', (edition) => {
  test.each(Object.entries(grids))('%s', (_, expressions) => {
    for (const expression of expressions) {
      const query = `SELECT id, ${expression} AS v FROM t`;
      expect([expression, ours(edition, query, { id: '1' })]).toEqual([
        expression,
        theirs(edition, query, { id: '1' }),
      ]);
    }
  });

  test('columns with the same name', () => {
    const rows: readonly Row[] = [
      { id: '1', a: null, b: 'B' },
      { id: '1', a: 'A', b: null },
      { id: '1', a: 'A', b: 'B' },
      { id: '1', b: 'B' },
      { id: '1', a: 'A' },
    ];
    const selects = ['a AS b, *', '*, a AS b', 'a AS b, *, a AS b', '*, *', "*, a AS b, 'x' AS b"];
    for (const select of selects) {
      for (const row of rows) {
        const query = `SELECT ${select} FROM t`;
        expect([query, row, ours(edition, query, row)]).toEqual([query, row, theirs(edition, query, row)]);
      }
    }
  });
});

function ours(edition: string, query: string, row: Row): string | undefined {
  const { plans, options } = plansOf(configOf(edition, query));
  const table = { tag: 'default', schema: 'public', name: 't' };
  const { rows } = toConfigEvaluator(plans, { options }).rowsOf(table)(row);
  return rows[0] && sorted(Object.entries(JSON.parse(rows[0].data, keepNumbers as never)));
}

/** Keeps the text of a number, because JSON.parse would read `1.0` as an integer. */
function keepNumbers(_: string, value: unknown, { source }: { readonly source: string }): unknown {
  return typeof value === 'number' ? { number: source } : value;
}

function theirs(edition: string, query: string, row: Row): string | undefined {
  const { rows } = referenceRows(configOf(edition, query))('t', row);
  const columns = Object.entries(rows[0]?.data ?? {}).filter(([, value]) => value !== undefined);
  return rows[0] && sorted(columns.map(([name, value]) => [name, written(value)]));
}

function written(value: SqlValue): unknown {
  if (typeof value === 'bigint') return { number: String(value) };
  return typeof value === 'number' ? { number: writeReal(value) } : value;
}

function sorted(columns: readonly (readonly [string, unknown])[]): string {
  return JSON.stringify([...columns].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function configOf(edition: string, query: string): string {
  return editions[edition]?.(JSON.stringify(query)) ?? '';
}
