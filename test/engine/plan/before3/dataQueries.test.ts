import { expect, test } from 'vitest';
import { analyze } from '../../../../server/engine/index.ts';
import { readCatalog } from '../../../support/engine/catalog.ts';
import { dataFindings, plainFindings } from '../../../support/engine/definition.ts';

const inWhere = (condition: string) => dataFindings(`SELECT id FROM t WHERE ${condition} AND b = bucket.q`);

test('A bucket parameter can be compared with row data by = and IN, in either order', () => {
  expect(inWhere('a = bucket.p')).toEqual([]);
  expect(inWhere("'x' || a = bucket.p")).toEqual([]);
  expect(inWhere('bucket.p = upper(a)')).toEqual([]);
  expect(inWhere('bucket.p IN a')).toEqual([]);
  expect(inWhere("bucket.p = 'x'")).toEqual([]);
  expect(inWhere('bucket.p')).toEqual([]);
});

test('A bucket parameter cannot be used as a value', () => {
  expect(inWhere('a = upper(bucket.p)')).toEqual(['parameter-in-expression "bucket.p"']);
  expect(inWhere('a < bucket.p')).toEqual(['parameter-in-expression "bucket.p"']);
  expect(inWhere('NOT bucket.p')).toEqual(['parameter-in-expression "bucket.p"']);
  expect(inWhere('a IN bucket.p')).toEqual(['parameter-right-of-in "bucket.p"']);
  expect(inWhere('bucket.p = bucket.q')).toEqual(['parameters-on-both-sides "bucket.p = bucket.q"']);
});

test('A comparison with a parameter cannot be used as a value', () => {
  expect(inWhere('(a = bucket.p) = 1')).toEqual(['match-not-allowed "(a = bucket.p) = 1"']);
  expect(inWhere('NOT a = bucket.p')).toEqual(['match-not-allowed "a = bucket.p"']);
  expect(inWhere('upper(a = bucket.p)')).toEqual(['match-not-allowed "a = bucket.p"']);
  expect(dataFindings('SELECT id, bucket.p AS x FROM t WHERE a = bucket.p AND b = bucket.q')).toEqual([
    'match-not-allowed "bucket.p"',
  ]);
});

test('OR accepts only conditions on the same parameters', () => {
  expect(
    dataFindings('SELECT id FROM t WHERE a = bucket.p AND b = bucket.q OR a = bucket.q AND c = bucket.p'),
  ).toEqual([]);
  expect(
    dataFindings('SELECT id FROM t WHERE (a = bucket.p OR b = bucket.p) AND (c = bucket.q OR bucket.q)'),
  ).toEqual([]);
  expect(dataFindings('SELECT id FROM t WHERE a = bucket.p OR b = bucket.q')).toEqual([
    'or-parameters-mismatch "a = bucket.p OR b = bucket.q"',
  ]);
  expect(dataFindings('SELECT id FROM t WHERE a = bucket.p OR b = 1')).toEqual([
    'or-parameters-mismatch "a = bucket.p OR b = 1"',
  ]);
});

test('Two conditions on one parameter are refused, because a service enforces only the first', () => {
  expect(inWhere('a = bucket.p AND c = bucket.p')).toEqual(['same-parameter-twice "c = bucket.p"']);
  expect(inWhere('a = bucket.p AND a = bucket.p')).toEqual([]);
  expect(inWhere('a = bucket.p AND b = 1 AND a = bucket.p')).toEqual([]);
  expect(inWhere('(a = bucket.p OR c = bucket.p) AND d = bucket.p')).toEqual([
    'same-parameter-twice "d = bucket.p"',
  ]);
});

test('Only one array of a row can be searched', () => {
  expect(dataFindings('SELECT id FROM t WHERE bucket.p IN a AND bucket.q IN b')).toEqual([
    'multiple-in-expressions "bucket.p IN a AND bucket.q IN b"',
  ]);
  expect(inWhere('bucket.p IN a AND bucket.p IN a')).toEqual([
    'multiple-in-expressions "bucket.p IN a AND bucket.p IN a"',
  ]);
});

test('A query uses exactly the parameters of its definition', () => {
  expect(dataFindings('SELECT id FROM t')).toEqual(['bucket-parameters-mismatch "SELECT id FROM t"']);
  expect(dataFindings('SELECT id FROM t WHERE a = bucket.p')).toHaveLength(1);
  expect(plainFindings('SELECT id FROM t WHERE a = bucket.p')).toHaveLength(1);
  expect(plainFindings('SELECT id FROM t WHERE a')).toEqual([]);
});

test('A query reads exactly one table, and no values of the request', () => {
  expect(plainFindings('SELECT 1 AS id')).toEqual(['single-table-required "SELECT 1 AS id"']);
  expect(plainFindings('SELECT t.id FROM t, u')).toEqual(['single-table-required "t"']);
  expect(plainFindings('SELECT id FROM (SELECT id FROM t) q')).toEqual([
    'single-table-required "SELECT id FROM t"',
  ]);
  expect(plainFindings('SELECT id FROM json_each(a)')).toEqual(['single-table-required "json_each(a)"']);
  expect(plainFindings('SELECT id FROM t WHERE a = request.user_id()')).toEqual([
    'request-function-in-data-query "request.user_id()"',
  ]);
});

test('Unsupported clauses and statements are refused, each once', () => {
  expect(plainFindings('SELECT DISTINCT id FROM t')).toEqual([
    'unsupported-clause "SELECT DISTINCT id FROM t"',
  ]);
  expect(plainFindings('SELECT ALL id FROM t')).toHaveLength(1);
  expect(plainFindings('SELECT id FROM t ORDER BY a LIMIT 1 OFFSET 2')).toEqual([
    'unsupported-clause "ORDER BY a"',
    'unsupported-clause "LIMIT 1 OFFSET 2"',
  ]);
  expect(plainFindings('SELECT id FROM t; SELECT id FROM u')).toEqual([
    'multiple-statements "SELECT id FROM u"',
  ]);
  expect(plainFindings('UPDATE t SET a = 1')).toHaveLength(1);
});

test('A query needs an id, and a name for each column', () => {
  expect(plainFindings('SELECT a FROM t')).toEqual(['missing-id-column "a"']);
  expect(plainFindings('SELECT FROM t')).toEqual(['missing-id-column "SELECT FROM t"']);
  expect(plainFindings('SELECT id, upper(a) FROM t')).toEqual(['alias-required "upper(a)"']);
  expect(plainFindings('SELECT *, a AS id FROM t')).toEqual([]);
  expect(plainFindings('SELECT (id), x.* FROM t')).toEqual([]);
});

test('The alias hides the name of the table', () => {
  expect(plainFindings('SELECT x.id FROM t AS x WHERE x.a')).toEqual([]);
  expect(plainFindings('SELECT x.id FROM t AS x WHERE t.a')).toEqual(['undefined-reference "t.a"']);
  expect(plainFindings('SELECT id FROM t WHERE public.t.a')).toEqual([
    'schema-in-column-reference "public.t.a"',
  ]);
});

test('All mistakes in a query are reported', () => {
  expect(plainFindings('SELECT a, foo(b) AS c FROM t WHERE nope.d LIKE bar(e) LIMIT 1')).toEqual([
    'unsupported-clause "LIMIT 1"',
    'undefined-reference "nope.d"',
    'unknown-function "bar(e)"',
    'unsupported-operator "nope.d LIKE bar(e)"',
    'unknown-function "foo(b)"',
    'missing-id-column "foo(b) AS c"',
  ]);
});

test('Names that lose their capitals are reported, unless the schema is known', () => {
  const sql = 'SELECT Id FROM Boats WHERE "Size" > Boats.Length';
  expect(plainFindings(sql)).toEqual([
    'identifier-lowercased "Boats"',
    'identifier-lowercased "Boats"',
    'identifier-lowercased "Length"',
    'identifier-lowercased "Id"',
  ]);
  expect(plainFindings(sql, { catalog: 'create table boats (id, length, Size)' })).toEqual([]);
});

test.each([
  { open: false, codes: ['missing-id'] },
  { open: true, codes: [] },
])('An absent column is only missing if all columns are known ($open)', ({ open, codes }) => {
  const catalog = { ...readCatalog('create table t (a)'), open };
  const text = 'bucket_definitions:\n  d:\n    data:\n      - SELECT * FROM t\n';
  const { findings } = analyze(text, { kind: 'sync', catalog });
  expect(findings.map(({ code }) => code).filter((code) => code === 'missing-id')).toEqual(codes);
});
