import { expect, test } from 'vitest';
import { nearest } from '../../server/engine/nearest.ts';

test.each([
  ['tsks', ['tasks', 'lists'], 'tasks'],
  ['owner_di', ['owner_id', 'owner'], 'owner_id'],
  ['TASKS', ['tasks'], 'tasks'],
  ['post', ['postgresql'], undefined],
  ['ab', ['cd'], undefined],
  ['', ['a'], undefined],
])('%j among %j means %j', (typed, names, meant) => {
  expect(nearest(typed, names)).toBe(meant);
});

test('the nearest of several wins', () => {
  expect(nearest('straems', ['stream', 'streams'])).toBe('streams');
});

test('a long text is never a slip, and costs nothing', () => {
  expect(nearest('x'.repeat(1_000_000), ['x'.repeat(999_999)])).toBeUndefined();
});
