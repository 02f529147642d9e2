import { describe, expect, test } from 'vitest';
import { compileAlpha, compileDefinition } from '../../../support/engine/definition.ts';

describe('Bucket definitions', () => {
  test('Without parameters, all users have the same bucket', () => {
    expect(compileDefinition(undefined, "SELECT *, a AS b FROM t AS u WHERE kind != 'x'").plan).toEqual([
      'source 0: rows of t if (= (= .kind "x") 0) as u (* without hidden, b = .a)',
      'route to source 0',
    ]);
  });

  test('Values of the request name a bucket, in the order of the columns', () => {
    const plan = compileDefinition(
      "SELECT request.user_id() AS u, token_parameters.org AS o WHERE request.jwt() ->> 'role' = 'clerk'",
      'SELECT id FROM t WHERE org = bucket.o AND bucket.u IN crew',
    ).plan;
    expect(plan).toEqual([
      'source 0: rows of t x [0] json_array(.crew) under [[0].value, .org] as t (id)',
      'route to source 0 if (= (->> auth "role") "clerk")',
      '  under [auth.sub, auth.parameters.org]',
    ]);
  });

  test('Rows of a table name a bucket each', () => {
    const plan = compileDefinition(
      "SELECT id AS boat, request.parameter('lang') AS lang, 1 AS _priority FROM boats WHERE owner = request.user_id() AND active AND request.jwt() ->> 'adult'",
      'SELECT id FROM t WHERE boat_id = bucket.boat AND lang = bucket.lang',
    ).plan;
    expect(plan).toEqual([
      'source 0: rows of t under [.boat_id, .lang] as t (id)',
      'lookup 0: rows of boats if .active, by [.owner], gives [.id]',
      'route to source 0 at priority 1 if (->> auth "adult")',
      '  step 0: lookup 0 with [auth.sub]',
      '  under [step 0.0, connection.lang]',
    ]);
  });

  test('Arrays of row and request are read element by element', () => {
    const plan = compileDefinition(
      "SELECT id AS b FROM boats WHERE org IN request.jwt() -> 'orgs' AND request.user_id() IN crew",
      'SELECT id FROM t WHERE boat_id = bucket.b',
    ).plan;
    expect(plan).toEqual([
      'source 0: rows of t under [.boat_id] as t (id)',
      'lookup 0: rows of boats x [0] json_array(.crew), by [.org, [0].value], gives [.id]',
      'route to source 0',
      '  step 0: elements of json_array((-> auth "orgs")), gives [[0].value]',
      '  step 1: lookup 0 with [step 0.0, auth.sub], stage 1',
      '  under [step 1.0]',
    ]);
  });

  test('Each element of json_each() that passes names a bucket', () => {
    const plan = compileDefinition(
      "SELECT upper(value) AS b, request.user_id() AS u FROM json_each(request.jwt() -> 'l') WHERE value != 'x'",
      'SELECT id FROM t WHERE a = bucket.b AND c = bucket.u',
    ).plan;
    expect(plan).toEqual([
      'source 0: rows of t under [.a, .c] as t (id)',
      'route to source 0',
      '  step 0: elements of json_each((-> auth "l")) if (= (= [0].value "x") 0), gives [upper([0].value)]',
      '  under [step 0.0, auth.sub]',
    ]);
  });

  test('OR results in a rule or a route for each side', () => {
    const plan = compileDefinition(
      [
        'SELECT id AS b FROM boats WHERE owner = request.user_id() OR skipper = request.user_id()',
        'SELECT 5 AS b',
      ],
      'SELECT id FROM t WHERE (a = bucket.b OR c = bucket.b AND open) AND kind',
    ).plan;
    expect(plan).toEqual([
      'source 0: rows of t if .kind under [.a] as t (id)',
      'source 0: rows of t if .kind and .open under [.c] as t (id)',
      'lookup 0: rows of boats, by [.owner], gives [.id]',
      'lookup 1: rows of boats, by [.skipper], gives [.id]',
      'route to source 0',
      '  step 0: lookup 0 with [auth.sub]',
      '  under [step 0.0]',
      'route to source 0',
      '  step 0: lookup 1 with [auth.sub]',
      '  under [step 0.0]',
      'route to source 0',
      '  under [5]',
    ]);
  });

  test('Two conditions on one parameter are both enforced', () => {
    const data = compileDefinition(
      'SELECT request.user_id() AS u',
      'SELECT id FROM t WHERE owner = bucket.u AND skipper = bucket.u',
    ).plan;
    expect(data?.[0]).toBe('source 0: rows of t if (= .owner .skipper) under [.owner] as t (id)');
    const parameters = compileDefinition(
      'SELECT id AS b FROM boats WHERE owner = request.user_id() AND skipper = request.user_id()',
      'SELECT id FROM t WHERE a = bucket.b',
    ).plan;
    expect(parameters).toContain('  step 0: lookup 0 with [auth.sub, auth.sub]');
  });

  test('Wildcard tables have a column for their suffix, and no fixed name', () => {
    const rows = (sql: string) => compileDefinition(undefined, sql).plan?.[0];
    expect(rows('SELECT id, _table_suffix AS part FROM "log_%"')).toBe(
      'source 0: rows of log_% as their table (id, part = @table_suffix)',
    );
    expect(rows('SELECT id, _table_suffix FROM t')).toBe('source 0: rows of t as t (id, _table_suffix)');
  });

  test('A parameter that only other queries have is NULL', () => {
    const plan = compileDefinition(
      ['SELECT 1 AS a, 2 AS b', 'SELECT 3 AS a'],
      'SELECT id FROM t WHERE x = bucket.a AND y = bucket.b',
    ).plan;
    expect(plan?.slice(1)).toEqual([
      'route to source 0',
      '  under [1, 2]',
      'route to source 0',
      '  under [3, null]',
    ]);
  });

  test('There is no plan after an error', () => {
    expect(compileDefinition(undefined, ['SELECT id FROM t', 'SELECT a FROM t']).plan).toBeUndefined();
    expect(compileDefinition(undefined, ['SELECT id FROM t', 'SELECT id FROM']).plan).toBeUndefined();
  });
});

describe('Streams of edition 2', () => {
  test('Each branch has its own buckets', () => {
    expect(
      compileAlpha("SELECT * FROM t WHERE a = auth.user_id() AND kind OR auth.parameter('admin')").plan,
    ).toEqual([
      'source 0: rows of t if .kind under [.a] as t (* without hidden)',
      'source 1: rows of t as t (* without hidden)',
      'route to source 0',
      '  under [auth.sub]',
      'route to source 1 if auth.admin',
    ]);
  });

  test('Two routes with the same key share their buckets', () => {
    expect(
      compileAlpha("SELECT id FROM t WHERE a = auth.user_id() OR a IN auth.parameter('l')").plan,
    ).toEqual([
      'source 0: rows of t under [.a] as t (id)',
      'route to source 0',
      '  under [auth.sub]',
      'route to source 0',
      '  step 0: elements of json_array(auth.l), gives [[0].value]',
      '  under [step 0.0]',
    ]);
  });

  test('A subquery is looked up', () => {
    const plan = compileAlpha(
      "SELECT id FROM t WHERE a IN (SELECT b FROM c WHERE d = auth.user_id() AND auth.parameter('x') IN e AND NOT f) AND g = auth.user_id()",
    ).plan;
    expect(plan).toEqual([
      'source 0: rows of t under [.g, .a] as t (id)',
      'lookup 0: rows of c x [0] json_array(.e) if (not .f), by [.d, [0].value], gives [.b]',
      'route to source 0',
      '  step 0: lookup 0 with [auth.sub, auth.x]',
      '  under [auth.sub, step 0.0]',
    ]);
  });

  test('A request value in a subquery checks that a row exists', () => {
    expect(compileAlpha('SELECT id FROM t WHERE auth.user_id() IN (SELECT b FROM c WHERE d)').plan).toEqual([
      'source 0: rows of t as t (id)',
      'lookup 0: rows of c if .d, by [.b], must exist',
      'route to source 0',
      '  step 0: lookup 0 with [auth.sub]',
    ]);
  });

  test('Overlapping lists are compared element by element', () => {
    expect(compileAlpha("SELECT id FROM t WHERE a && auth.parameter('l') AND NOT (b && c)").plan).toEqual([
      'source 0: rows of t x [0] json_array(.a) if (not (overlap .b .c)) under [[0].value] as t (id)',
      'route to source 0',
      '  step 0: elements of json_array(auth.l), gives [[0].value]',
      '  under [step 0.0]',
    ]);
  });

  test('Names with dots are names, but names that start with $. are paths', () => {
    expect(
      compileAlpha("SELECT id FROM t WHERE a = auth.parameter('x.y') AND b = auth.parameter('$.x.y')").plan,
    ).toContain('  under [auth."x.y", (->> auth "$.x.y")]');
  });
});
