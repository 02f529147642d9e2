import { describe, expect, test } from 'vitest';
import { parseSql } from '../../../server/engine/sql/parser/parser.ts';
import { exampleSqlTexts } from '../../support/engine/sqlTexts.ts';
import { statementTrees } from '../../support/engine/sqlTree.ts';

describe('an incomplete query keeps its readable parts', () => {
  const trees: readonly (readonly [string, string])[] = [
    ['SELECT a, FROM t WHERE x =', 'SELECT a, ¿ FROM t WHERE (x = ¿)'],
    ['SELECT FROM t JOIN', 'SELECT FROM t'],
    ['SELECT * FROM t JOIN u ON', 'SELECT * FROM t INNER JOIN u ON ¿'],
    ['SELECT * FROM t JOIN ON a = b WHERE c', 'SELECT * FROM t WHERE c'],
    ['SELECT t. FROM t', 'SELECT ¿ FROM t'],
    ['SELECT t. , b FROM t', 'SELECT ¿, b FROM t'],
    ['SELECT * FROM t WHERE t. AND b = 1', 'SELECT * FROM t WHERE (¿ AND (b = 1))'],
    ['SELECT * FROM t WHERE a = auth.', 'SELECT * FROM t WHERE (a = ¿)'],
    ['SELECT f( FROM t', 'SELECT f(¿) FROM t'],
    ['SELECT f(a, FROM t', 'SELECT f(a, ¿) FROM t'],
    ['SELECT (a FROM t', 'SELECT a FROM t'],
    ['SELECT a) FROM t', 'SELECT a'],
    ['SELECT a b c, d e FROM t', 'SELECT a AS b, d AS e FROM t'],
    ['SELECT * FROM t WHERE a b c AND d', 'SELECT * FROM t WHERE (a AND d)'],
    [
      'SELECT * FROM t WHERE a IN (SELECT b FROM u WHERE',
      'SELECT * FROM t WHERE (a IN (SELECT b FROM u WHERE ¿))',
    ],
    ['SELECT * FROM (SELECT a FROM u) WHERE b', 'SELECT * FROM (SELECT a FROM u) WHERE b'],
    ['SELECT id, order FROM boats', 'SELECT id, ¿ FROM boats'],
    ['SELECT * FROM order WHERE a', 'SELECT * WHERE a'],
    ['SELEC a FROM t', 'SELECT a FROM t'],
    ['SELECT * FRM t WHERE a', 'SELECT * FROM t WHERE a'],
    ['SELECT * FROM t WEHRE a = 1', 'SELECT * FROM t AS wehre WHERE (a = 1)'],
    ['SELECT CASE WHEN a THEN FROM t', 'SELECT (CASE WHEN a THEN ¿ END) FROM t'],
    ['SELECT a:: FROM t', 'SELECT CAST(a AS ) FROM t'],
    ['SELECT a BETWEEN 1 FROM t', 'SELECT (a BETWEEN 1 AND ¿) FROM t'],
    ['SELECT `a` FROM t', 'SELECT ¿ FROM t'],
    ['SELECT a; SELECT b c d FROM t', 'SELECT a; SELECT b AS c FROM t'],
  ];
  test.each(trees)('%s', (text, tree) => {
    expect(statementTrees(text)).toBe(tree);
  });
});

describe('several mistakes', () => {
  const wrong = (text: string): string[] =>
    parseSql(text).problems.map(({ span }) => text.slice(span.start, span.end));

  test('are all reported if a clause or a comma is between them', () => {
    expect(wrong('SELECT a b c, d e f FROM t WHERE (g h) AND i j k')).toEqual(['c', 'f', 'h', 'j']);
  });

  test('are reported once if the second is a consequence of the first', () => {
    expect(wrong('SELECT a b c d e FROM t')).toEqual(['c']);
    expect(wrong('SELECT upper(a FROM t) WHERE b')).toEqual(['FROM']);
    expect(wrong("SELECT 'it's mine' FROM t")).toHaveLength(1);
    expect(wrong('SELECT id, order FROM boats')).toEqual(['order']);
  });

  test('are reported up to twenty', () => {
    expect(wrong(`SELECT ${'a b c, '.repeat(100)} d`)).toHaveLength(20);
  });
});

test('every prefix of every query of the examples has a tree', () => {
  for (const text of exampleSqlTexts()) {
    for (let end = 0; end <= text.length; end++) {
      const prefix = text.slice(0, end);
      const { statements, problems } = parseSql(prefix);
      const spans = [...statements, ...problems].map(({ span }) => span);
      if (spans.some(({ start, end }) => start < 0 || start > end || end > prefix.length)) {
        throw new Error(`a span outside of ${JSON.stringify(prefix)}`);
      }
    }
  }
});
