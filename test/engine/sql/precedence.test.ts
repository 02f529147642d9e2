import { describe, expect, test } from 'vitest';
import { expressionTree } from '../../support/engine/sqlTree.ts';

/** Operators from loosest to tightest. An operand of each level is a whole expression of the next level. */
const levels: readonly (readonly string[])[] = [
  ['OR'],
  ['AND'],
  ['=', '!=', '<>'],
  ['<', '>', '<=', '>=', '@>', '<@', '?', '?|', '?&', '~', '!~', '~*', '!~*', '<<', '>>', '#>>', '&&'],
  ['|', '&', '#'],
  ['LIKE', 'ILIKE', 'NOT LIKE', 'NOT ILIKE', '~~', '!~~', '~~*', '!~~*'],
  ['IN', 'NOT IN'],
  ['+', '-', '||', '#-'],
  ['*', '/', '%'],
  ['^'],
  ['AT TIME ZONE'],
];

describe('binary operators', () => {
  for (const [i, looser] of levels.entries()) {
    for (const tighter of levels.slice(i + 1)) {
      const [loose, tight] = [looser[0] as string, tighter[0] as string];
      test(`${tight} binds tighter than ${loose}`, () => {
        expect(expressionTree(`a ${tight} b ${loose} c`)).toBe(`((a ${tight} b) ${loose} c)`);
        expect(expressionTree(`a ${loose} b ${tight} c`)).toBe(`(a ${loose} (b ${tight} c))`);
      });
    }
  }

  for (const level of levels) {
    test(`${level.join(' ')} have one level and group from the left`, () => {
      for (const first of level) {
        for (const second of level) {
          expect(expressionTree(`a ${first} b ${second} c`)).toBe(`((a ${first} b) ${second} c)`);
        }
      }
    });
  }
});

describe('other expressions', () => {
  const trees: readonly (readonly [string, string])[] = [
    ['NOT a = b', '(NOT (a = b))'],
    ['NOT a AND b', '((NOT a) AND b)'],
    ['NOT NOT a', '(NOT (NOT a))'],
    ['NOT a IN b', '(NOT (a IN b))'],
    ['NOT a IS NULL', '(NOT (a IS NULL))'],
    ['x = 1 IS NULL', '(x = (1 IS NULL))'],
    ['a < b IS NULL', '((a < b) IS NULL)'],
    ['a IS NULL = b', '((a IS NULL) = b)'],
    ['a ISNULL NOTNULL', '((a IS NULL) IS NOT NULL)'],
    ['a IS NOT TRUE IS FALSE', '((a IS NOT TRUE) IS FALSE)'],
    ['a < b BETWEEN c AND d', '(a < (b BETWEEN c AND d))'],
    ['a BETWEEN b | c AND d || e', '(a BETWEEN (b | c) AND (d || e))'],
    ['a BETWEEN b AND c AND d', '((a BETWEEN b AND c) AND d)'],
    ['a BETWEEN b AND c BETWEEN d AND e', '((a BETWEEN b AND c) BETWEEN d AND e)'],
    ['a NOT BETWEEN 1 AND 2', '(a NOT BETWEEN 1 AND 2)'],
    ['between BETWEEN between AND between', '(between BETWEEN between AND between)'],
    ['- a ^ b', '((- a) ^ b)'],
    ['- a AT TIME ZONE b', '(- (a AT TIME ZONE b))'],
    ['a = - b', '(a = (- b))'],
    ['- - a', '(- (- a))'],
    ['+ a * b', '((+ a) * b)'],
    ['a * -1', '(a * -1)'],
    ['a[1][2]', 'a[1][2]'],
    ['a::text[1]', 'CAST(a AS text)[1]'],
    ["a -> 'b' ->> 0::text", "CAST(((a -> 'b') ->> 0) AS text)"],
    ["x -> 'a' || 'b'", "((x -> 'a') || 'b')"],
    ["a IN b -> 'x'", "(a IN (b -> 'x'))"],
    ['- a::text', '(- CAST(a AS text))'],
    ['a + b::text', '(a + CAST(b AS text))'],
    ['a = (NOT b)', '(a = (NOT b))'],
    ['a || b = c', '((a || b) = c)'],
    ["'a' || 1 + 1", "(('a' || 1) + 1)"],
    ['a = b IN c', '(a = (b IN c))'],
    ['a OPERATOR(x.+) b * c', '(a + (b * c))'],
    ['a + b OPERATOR(x.*) c', '(a + (b * c))'],
    ['(a)', 'a'],
    ['((a = b))', '(a = b)'],
  ];
  test.each(trees)('%s is %s', (expression, tree) => {
    expect(expressionTree(expression)).toBe(tree);
  });

  const refused = [
    'a = NOT b',
    'a IS NULL + 1',
    'a IS NULL < b',
    "a[1] -> 'x'",
    'a AT TIME ZONE - b',
    'NOT a IS NULL < b',
  ];
  test.each(refused)('%s is refused', (expression) => {
    expect(() => expressionTree(expression)).toThrow();
  });
});
