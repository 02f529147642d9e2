import { expect, test } from 'vitest';
import { readStreamNames } from '../../../client/api/explained.ts';

test('streams of the active config are listed by name, and what is no stream is left out', () => {
  const answer = { data: { streams: [{ name: 'lists', is_default: true }, { name: 'todos' }, {}, 'none'] } };
  expect(readStreamNames(answer)).toEqual(['lists', 'todos']);
  for (const other of [undefined, {}, { data: {} }, { data: { streams: 'none' } }])
    expect(readStreamNames(other)).toEqual([]);
});
