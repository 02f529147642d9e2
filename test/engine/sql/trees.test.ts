import { describe, expect, test } from 'vitest';
import { expressionTree, statementTrees } from '../../support/engine/sqlTree.ts';

describe('values', () => {
  const values: readonly (readonly [string, string])[] = [
    ['1', '1'],
    ['-1', '-1'],
    ['1.', '1'],
    ['.5', '0.5'],
    ['9007199254740993', '9007199254740993'],
    ["'it''s'", "'it's'"],
    ["E'a\\tb\\n\\\\'", "'a\tb\n\\'"],
    ['TRUE', 'true'],
    ['NULL', 'NULL'],
    ['$1', '$1'],
    ['Name', 'name'],
    ['"Na me"', '"Na me"'],
    ['"a""b"', '"a"b"'],
    ['s.T.c', 's.t.c'],
    ['t.*', 't.*'],
    ['s.t.*', 's.t.*'],
    ['*', '*'],
    ['auth.user_id()', 'auth.user_id()'],
    ['count(*)', 'count(*)'],
    [
      'f(DISTINCT a, b ORDER BY c) FILTER (WHERE d) OVER (PARTITION BY e)',
      'f(a, b) DISTINCT ORDER BY FILTER OVER',
    ],
    ['current_user', 'CURRENT_USER'],
    ['user()', 'user()'],
    ['CAST(a AS varchar(10)[])', 'CAST(a AS varchar[])'],
    ["text 'a'", "CAST('a' AS text)"],
    ["timestamp with time zone 'a'", "CAST('a' AS timestamp with time zone)"],
    ['a::pg.double', 'CAST(a AS double)'],
    ['a::double precision', 'CAST(a AS double precision)'],
    ['(1, 2)', '[1, 2]'],
    ['ROW(1)', 'ROW[1]'],
    ['ARRAY[]', 'ARRAY[]'],
    ['ARRAY[[1], [2]]', 'ARRAY[ARRAY[1], ARRAY[2]]'],
    ['ARRAY(SELECT 1)', 'ARRAY<(SELECT 1)>'],
    ['CASE a WHEN 1 THEN 2 ELSE 3 END', '(CASE a WHEN 1 THEN 2 ELSE 3 END)'],
    ['CASE END', '(CASE END)'],
    ['substring(a FROM 1 FOR 2)', 'SUBSTRING<a, 1, 2>'],
    ['substring(a, 1)', 'substring(a, 1)'],
    ['extract(year FROM a)', 'EXTRACT<year, a>'],
    ["overlay(a PLACING 'x' FROM 1)", "OVERLAY<a, 'x', 1>"],
    ['(SELECT 1)', '(SELECT 1)'],
    ['exists(SELECT 1)', 'exists((SELECT 1))'],
    ["u&'a'", "(u & 'a')"],
  ];
  test.each(values)('%s', (expression, tree) => {
    expect(expressionTree(expression)).toBe(tree);
  });
});

describe('statements', () => {
  const statements: readonly (readonly [string, string])[] = [
    ['SELECT', 'SELECT'],
    ['SELECT FROM t', 'SELECT FROM t'],
    ['SELECT a b, c AS "D" FROM t', 'SELECT a AS b, c AS "D" FROM t'],
    ['SELECT ALL a FROM t', 'SELECT a FROM t'],
    ['SELECT DISTINCT ON (a, b) c FROM t', 'SELECT DISTINCT c FROM t'],
    ['SELECT * FROM s.t AS x, "U" y(a, b)', 'SELECT * FROM s.t AS x, "U" AS y(a, b)'],
    ['SELECT * FROM public.user', 'SELECT * FROM public.user'],
    ['SELECT * FROM t JOIN u ON a = b', 'SELECT * FROM t INNER JOIN u ON (a = b)'],
    ['SELECT * FROM t LEFT OUTER JOIN u USING (a)', 'SELECT * FROM t LEFT JOIN u USING'],
    ['SELECT * FROM (t JOIN u ON a), (v CROSS JOIN w)', 'SELECT * FROM t INNER JOIN u ON a, v CROSS JOIN w'],
    ['SELECT * FROM json_each(a) WITH ORDINALITY e', 'SELECT * FROM json_each(a) AS e'],
    ['SELECT * FROM (SELECT 1) AS q(a)', 'SELECT * FROM (SELECT 1) AS q(a)'],
    ['SELECT 1 WHERE a', 'SELECT 1 WHERE a'],
    ['SELECT 1 GROUP BY a HAVING b ORDER BY c DESC NULLS LAST', 'SELECT 1 GROUP BY HAVING ORDER BY'],
    ['SELECT 1 LIMIT 1 OFFSET 2 FOR NO KEY UPDATE SKIP LOCKED', 'SELECT 1 LIMIT FOR SKIP LOCKED'],
    ['SELECT 1 FETCH FIRST 5 ROWS ONLY', 'SELECT 1 FETCH'],
    ['SELECT 1 UNION SELECT 2', '<UNION>'],
    ['(SELECT 1) UNION ALL (SELECT 2)', '<UNION>'],
    ['VALUES (1), (2)', '<VALUES>'],
    ['WITH x AS (SELECT 1) SELECT * FROM x', '<WITH>'],
    ['INSERT INTO t VALUES (1)', '<INSERT>'],
    [';; SELECT 1; SELECT 2;', 'SELECT 1; SELECT 2'],
    ['SELECT /* a /* b */ c */ 1 -- d', 'SELECT 1'],
  ];
  test.each(statements)('%s', (text, tree) => {
    expect(statementTrees(text)).toBe(tree);
  });
});

test('long chains of AND and OR are balanced, with the same operands in the same order', () => {
  const letters = Array.from({ length: 300 }, (_, i) => `a${i}`);
  const tree = expressionTree(letters.join(' OR '));
  expect(tree.replaceAll(/[()]/g, '')).toBe(letters.join(' OR '));
  expect(/\(*/.exec(tree)?.[0].length).toBeLessThan(12);
});
