import { expect, test } from 'vitest';
import { alphaFindings } from '../../../support/engine/definition.ts';

const inWhere = (condition: string) => alphaFindings(`SELECT id FROM t WHERE ${condition}`);

test('AND and OR combine conditions on rows, on the request and on both in any way', () => {
  expect(inWhere("(a = auth.user_id() OR b) AND (c OR auth.parameter('x') = 'y')")).toEqual([]);
  expect(inWhere("a IN auth.parameter('l') AND b && connection.parameters() -> 'l'")).toEqual([]);
  expect(inWhere('a = auth.user_id() AND b = auth.user_id()')).toEqual([]);
  expect(inWhere('a > auth.user_id()')).toEqual(['mixed-row-and-parameter "auth.user_id()"']);
});

test('NOT is pushed down to single conditions, which must not be matches', () => {
  expect(inWhere("NOT (a AND auth.parameter('x'))")).toEqual([]);
  expect(inWhere('NOT (NOT (a = auth.user_id()))')).toEqual([]);
  expect(inWhere("a NOT IN '[1]' AND auth.user_id() NOT IN '[1]'")).toEqual([]);
  expect(inWhere('NOT (a = auth.user_id())')).toEqual(['negated-match "NOT (a = auth.user_id())"']);
  expect(inWhere('NOT (a = auth.user_id() OR b)')).toEqual(['negated-match "a = auth.user_id()"']);
  expect(inWhere('auth.user_id() NOT IN a')).toEqual(['negated-match "auth.user_id() NOT IN a"']);
});

test('Under a NOT, an OR inside another condition is refused, as in services', () => {
  expect(inWhere("NOT (a AND auth.parameter('x') AND c)")[0]).toMatch(/^internal-error /);
  expect(inWhere("NOT (a AND b AND auth.parameter('x'))")).toEqual([]);
  expect(inWhere("NOT (a OR auth.parameter('x') AND c)")).toHaveLength(1);
  expect(inWhere("NOT (a AND (auth.parameter('x') OR c))")).toEqual([]);
  expect(inWhere("a OR NOT (b AND auth.parameter('x'))")).toEqual([]);
});

test('A subquery finds rows of one table by values of the request', () => {
  const inSubquery = (condition: string) => inWhere(`a IN (SELECT b FROM c WHERE ${condition})`);
  expect(inSubquery("d = auth.user_id() AND auth.parameter('x') IN e AND (f OR g)")).toEqual([]);
  expect(inSubquery('d = auth.user_id() OR e = auth.user_id()')).toEqual([
    'or-in-subquery "d = auth.user_id() OR e = auth.user_id()"',
  ]);
  expect(inSubquery('NOT d = auth.user_id()')).toEqual(['subquery-condition "NOT d = auth.user_id()"']);
  expect(inSubquery('d IN (SELECT x FROM y)')).toEqual(['subquery-condition "d IN (SELECT x FROM y)"']);
  expect(inSubquery("d IN auth.parameter('x') AND e = auth.user_id()")).toEqual([
    'mixed-row-and-parameter "auth.parameter(\'x\')"',
  ]);
  expect(inSubquery('d = 1')[0]).toMatch(/^subquery-without-parameter "SELECT id FROM t/);
});

test('A subquery selects one column of its table', () => {
  const of = (select: string) => inWhere(`a IN (${select} WHERE d = auth.user_id())`);
  expect(of('SELECT upper(b) FROM c AS x')).toEqual([]);
  expect(of('SELECT b, d FROM c')[0]).toMatch(/^subquery-single-column /);
  expect(of('SELECT FROM c')[0]).toMatch(/^subquery-single-column /);
  expect(of('SELECT b FROM c, e')[0]).toMatch(/^single-table-required "SELECT b FROM c, e/);
});

test('A subquery that a service would drop is an error, because all users would get all rows', () => {
  const of = (select: string) => inWhere(`a IN (${select} WHERE d = auth.user_id())`);
  expect(of('SELECT * FROM c')).toEqual(['star-subquery "*"']);
  expect(of('SELECT foo(b) FROM c')).toEqual(['unknown-function "foo(b)"']);
  expect(of('SELECT auth.user_id() FROM c')).toEqual(['match-not-allowed "auth.user_id()"']);
  expect(of('SELECT b FROM "x.y.z".c')).toEqual(['invalid-schema-name "\\"x.y.z\\""']);
});

test('The value on the left of a subquery belongs to the row or the request', () => {
  expect(inWhere("'k' IN (SELECT b FROM c WHERE d = auth.user_id())")).toEqual([
    'static-left-of-subquery "\'k\'"',
  ]);
  expect(inWhere('auth.user_id() IN (SELECT b FROM c)')).toEqual([]);
  expect(inWhere("auth.parameter('l') && (SELECT b FROM c)")).toEqual([
    'overlap-left-not-row "auth.parameter(\'l\')"',
  ]);
  expect(inWhere('(a = auth.user_id()) IN (SELECT b FROM c WHERE d = auth.user_id())')).toEqual([
    'mixed-row-and-parameter "a = auth.user_id()"',
  ]);
});

test('A filter on a wildcard table is refused, because it never matches', () => {
  expect(alphaFindings('SELECT id FROM "t_%" WHERE a = auth.user_id()')).toEqual([
    'wildcard-filter "\\"t_%\\""',
  ]);
  expect(alphaFindings('SELECT id FROM "t_%" WHERE auth.parameter(\'x\')')).toEqual([]);
  expect(inWhere('a IN (SELECT b FROM "c_%" WHERE d = auth.user_id())')).toHaveLength(1);
});

test('Subscription parameters of an auto-subscribed stream are reported', () => {
  const sql = "SELECT id FROM t WHERE a IN (SELECT b FROM c WHERE d = subscription.parameter('x'))";
  const findings = (autoSubscribe: boolean) => alphaFindings(sql, { autoSubscribe, acceptDangerous: true });
  expect(findings(false)).toEqual([]);
  expect(findings(true)).toEqual([`default-stream-with-subscription-parameter ${JSON.stringify(sql)}`]);
});

test('A priority has no effect', () => {
  expect(alphaFindings('SELECT id FROM t', { priority: 1 })).toEqual(['priority-ignored']);
  expect(alphaFindings('SELECT id FROM t', { priority: 3 })).toEqual([]);
});

test('Functions of bucket definitions are refused in streams', () => {
  expect(inWhere('a = request.user_id()')).toEqual(['unknown-function "request.user_id()"']);
  expect(inWhere('a = token_parameters.user_id')).toEqual(['undefined-reference "token_parameters.user_id"']);
  expect(alphaFindings('SELECT id, auth.user_id() AS x FROM t')).toEqual([
    'match-not-allowed "auth.user_id()"',
  ]);
});

test('The queries of a stream are not checked in edition 1', () => {
  expect(alphaFindings('SELECT foo FROM', { options: { edition: 1 } })).toEqual([]);
});
