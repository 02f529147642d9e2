/** The texts of keys, and the values that count as one. */
import { describe, expect, test } from 'vitest';
import { bucketKeyText, exactText, toKeyWriter } from '../../../server/engine/plan/evaluate/keys.ts';
import { distinctRows } from '../../../server/engine/plan/evaluate/requests.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';

const blob = (...bytes: readonly number[]) => new Uint8Array(bytes);

describe('a value', () => {
  test.each<[SqlValue, string | undefined, string | undefined]>([
    ['a', '"a"', '"a"'],
    ['a "b"\n', '"a \\"b\\"\\n"', '"a \\"b\\"\\n"'],
    [1n, '1', '1'],
    [1, '1', 'r1'],
    [1.5, '1.5', 'r1.5'],
    [2n ** 60n, '1152921504606846976', '1152921504606846976'],
    [Number.POSITIVE_INFINITY, 'null', 'rInfinity'],
    [null, undefined, undefined],
    [blob(1), undefined, undefined],
  ])('%s is the key %s, and exactly %s', (value, key, exact) => {
    const text = key && `[${key}]`;
    expect(bucketKeyText([value])).toBe(text);
    expect(toKeyWriter('s')(value)).toBe(text && `s${text}`);
    expect(exactText(value)).toBe(exact);
  });

  test('that cannot be a key prevents a key with it', () => {
    expect(bucketKeyText(['a', 1n, 1.5])).toBe('["a",1,1.5]');
    expect(bucketKeyText(['a', null])).toBeUndefined();
    expect(bucketKeyText([blob(1), 'a'])).toBeUndefined();
    expect(bucketKeyText([])).toBe('[]');
  });
});

test.each<[string, readonly (readonly SqlValue[])[], readonly (readonly SqlValue[])[]]>([
  ['nothing', [], []],
  ['one row', [[1n]], [[1n]]],
  ['texts', [['a'], ['b'], ['a']], [['a'], ['b']]],
  ['a text twice', [['a'], ['a']], [['a']]],
  ['values of several classes', [['1'], [1n], [1], [null], [1n], [null]], [['1'], [1n], [1], [null]]],
  ['bytes', [[blob(1)], [blob(2)], [blob(1)]], [[blob(1)], [blob(2)]]],
  ['texts and bytes', [['1'], [blob(1)], ['1']], [['1'], [blob(1)]]],
  [
    'pairs',
    [
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'b'],
    ],
    [
      ['a', 'b'],
      ['a', 'c'],
    ],
  ],
  [
    'pairs of several classes',
    [
      ['1', 1n],
      [1n, '1'],
      [1n, 1],
      [1, 1n],
    ],
    [
      ['1', 1n],
      [1n, '1'],
      [1n, 1],
      [1, 1n],
    ],
  ],
  [
    'pairs that look alike',
    [
      ['a', 'b,1:c'],
      ['a,1:b', 'c'],
    ],
    [
      ['a', 'b,1:c'],
      ['a,1:b', 'c'],
    ],
  ],
  ['rows without values', [[], []], [[]]],
])('of several equal rows, one is kept: %s', (_, rows, distinct) => {
  expect(distinctRows(rows)).toEqual(distinct);
});
