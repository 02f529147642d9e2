import { describe, expect, test } from 'vitest';
import type { Expr, Statement } from '../../../server/engine/sql/ast.ts';
import { parseSql } from '../../../server/engine/sql/parser/parser.ts';
import { children, expressionsOf } from '../../../server/engine/sql/walk.ts';
import { expectLinear } from '../../support/house/growth.ts';
import { sizeOf } from '../../support/house/share.ts';

const repeated = (piece: string, times = 20_000): string => piece.repeat(sizeOf(times));

const texts: Readonly<Record<string, string>> = {
  'a chain of AND': `SELECT * FROM t WHERE a ${repeated('AND a = 1 ')}`,
  'a chain of OR of AND': `SELECT * FROM t WHERE a ${repeated('AND b OR c ')}`,
  'a chain of +': `SELECT a ${repeated('+ a ')}`,
  'a chain of casts': `SELECT a${repeated('::text')}`,
  'a chain of arrows': `SELECT a${repeated("->'x'")}`,
  'a chain of IS NULL': `SELECT a ${repeated('IS NULL ')}`,
  'a chain of indexes': `SELECT a${repeated('[1]')}`,
  'open parentheses': `SELECT ${repeated('(')}`,
  'closed parentheses': `SELECT ${repeated('(')}a${repeated(')')}`,
  'closing parentheses': `SELECT a${repeated(')')}`,
  'open brackets': `SELECT ARRAY${repeated('[')}`,
  'open calls': `SELECT ${repeated('f(')}`,
  'open subqueries': `SELECT * FROM ${repeated('(SELECT * FROM ')}`,
  'open IN-subqueries': `SELECT * FROM t WHERE a IN ${repeated('(SELECT a FROM t WHERE a IN ')}`,
  'open joins': `SELECT * FROM ${repeated('(')}`,
  'many NOT': `SELECT ${repeated('NOT ')}a`,
  'many minus signs': `SELECT ${repeated('- ')}a`,
  'many CASE': `SELECT ${repeated('CASE WHEN ')}`,
  'many list items': `SELECT ARRAY[${repeated('1, ', 200_000)}1], f(${repeated('1, ', 200_000)}1)`,
  'many columns': `SELECT ${repeated('a, ')}a FROM t`,
  'many joins': `SELECT * FROM t ${repeated('JOIN u ON a = b ')}`,
  'many statements': repeated('SELECT 1; '),
  'many unions': `SELECT 1 ${repeated('UNION SELECT 1 ')}`,
  'many mistakes': `SELECT * FROM t WHERE ${repeated('a b c AND ')}`,
  'many commas': `SELECT ${repeated(',')}`,
  'many quotes': `SELECT ${repeated('"')}`,
  'many pairs of quotes': `SELECT "${repeated('""a"b ')}`,
  'many backticks': `SELECT ${repeated('`')}`,
  'many braces': `SELECT ${repeated('{')}`,
  'many comments': `SELECT ${repeated('/*')}`,
  'many unreadable comments': `SELECT ${repeated("/* ' */ ")}`,
  'a long number': `SELECT ${repeated('9')}`,
  'NUL and lone surrogates': `SELECT a\0b, \ud800 FROM "\udc00\0" WHERE '\ud800' = ${repeated('\0')}`,
};

describe('hostile texts', () => {
  test.each(Object.entries(texts))('%s', (_name, text) => {
    const { statements } = parseSql(text);
    expect(Math.max(0, ...statements.map(heightOf))).toBeLessThanOrEqual(500);
  });

  test('nesting that is too deep is reported once', () => {
    expect(parseSql(`SELECT ${'('.repeat(100)}a${')'.repeat(100)}`).problems).toEqual([]);
    const [problem, ...others] = parseSql(`SELECT ${'('.repeat(300)}a${')'.repeat(300)}`).problems;
    expect(problem?.problem).toMatch('nested too deeply');
    expect(others).toEqual([]);
  });

  test('a chain that is too long is reported with advice', () => {
    expect(parseSql(`SELECT a${' || b'.repeat(400)}`).problems).toEqual([]);
    expect(parseSql(`SELECT a${' || b'.repeat(600)}`).problems[0]?.problem).toMatch('Split it');
  });

  test('the parse time grows linearly with the length', () => {
    const text = (times: number): string => `SELECT ${'f(a, b) + 1 AS c, '.repeat(times)} d FROM t`;
    parseSql(text(20_000));
    expectLinear((factor) => parseSql(text(5_000 * factor)));
  });
});

/** Returns the depth to which the stages after the parser recurse. */
function heightOf(statement: Statement): number {
  const height = (expr: Expr): number =>
    children(expr).reduce((most, child) => Math.max(most, 1 + height(child)), 1) +
    (expr.kind === 'subquery' ? heightOf(expr.query) : 0);
  const sources = statement.kind === 'select' ? statement.from.map(({ source }) => source) : [];
  const inner = sources.map((source) => (source.kind === 'subquery' ? heightOf(source.query) : 0));
  return [...expressionsOf(statement).map(height), ...inner].reduce((a, b) => Math.max(a, b), 0);
}
