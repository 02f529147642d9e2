import { expect, test } from 'vitest';
import { createCache } from '../../../server/service/ground/cache.ts';

test('a full cache drops the entry that was set longest ago', () => {
  const cache = createCache<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  cache.set('c', 4);
  expect(['a', 'b', 'c'].map(cache.get)).toEqual([3, undefined, 4]);
  cache.delete('a');
  expect(cache.get('a')).toBeUndefined();
  cache.clear();
  expect(cache.get('c')).toBeUndefined();
});
