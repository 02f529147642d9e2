import { expect, test } from 'vitest';
import {
  alphaFindings,
  compileDefinition,
  dataFindings,
  plainFindings,
} from '../../../support/engine/definition.ts';

const chain = (length: number, part: string, operator: string) => new Array(length).fill(part).join(operator);

test.each([' AND ', ' OR ', ' || ', ' + '])(
  'A chain of 20,000 times%sis read without recursion',
  (operator) => {
    expect(plainFindings(`SELECT id FROM t WHERE ${chain(20_000, 'a', operator)}`)).toEqual([]);
  },
);

test('Chains of matches, constants and conditions of edition 2 may also have this length', () => {
  expect(
    dataFindings(`SELECT id FROM t WHERE a = bucket.p AND b = bucket.q AND ${chain(20_000, 'c', ' AND ')}`),
  ).toEqual([]);
  expect(plainFindings(`SELECT id FROM t WHERE ${chain(20_000, '9', ' * ')}`)).toEqual([]);
  expect(
    alphaFindings(`SELECT id FROM t WHERE a = auth.user_id() AND ${chain(20_000, 'b', ' AND ')}`),
  ).toEqual([]);
});

test('Deep nesting is an error, not a crash', () => {
  const nested = (depth: number) => `${'upper('.repeat(depth)}a${')'.repeat(depth)}`;
  expect(plainFindings(`SELECT id, ${nested(100)} AS x FROM t`)).toEqual([]);
  expect(plainFindings(`SELECT id, ${nested(10_000)} AS x FROM t`)).toEqual([]);
  const cast = (times: number) => plainFindings(`SELECT id, a${'::text'.repeat(times)} AS x FROM t`);
  expect(cast(399)).toEqual([]);
  expect(cast(450)[0]).toMatch(/^unsupported-expression /);
});

test('A condition may have at most 100 branches', () => {
  const either = '(a = bucket.p OR b = bucket.p)';
  const compile = (count: number) => {
    const names = Array.from({ length: count }, (_, i) => `p${i}`);
    return compileDefinition(
      `SELECT ${names.map((name) => `request.user_id() AS ${name}`).join(', ')}`,
      `SELECT id FROM t WHERE ${names.map((name) => either.replaceAll('bucket.p', `bucket.${name}`)).join(' AND ')}`,
    ).findings;
  };
  expect(compile(6)).toEqual([]);
  expect(compile(7)[0]).toMatch(/^filter-too-complex /);
});

test('A text with syntax errors has no other findings', () => {
  expect(plainFindings('SELECT foo(a FROM t WHERE LIMIT')).toEqual([]);
});
