import { expect, test } from 'vitest';
import { readStreamNames } from '../../../client/api/explained.ts';

test('lists the stream names of the active config, and skips entries that are not streams', () => {
  const answer = { data: { streams: [{ name: 'lists', is_default: true }, { name: 'todos' }, {}, 'none'] } };
  expect(readStreamNames(answer)).toEqual(['lists', 'todos']);
  for (const other of [undefined, {}, { data: {} }, { data: { streams: 'none' } }])
    expect(readStreamNames(other)).toEqual([]);
});
