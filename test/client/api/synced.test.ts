import { expect, test } from 'vitest';
import { problemsIn } from '../../../client/api/synced.ts';

test('a problem of many streams is reported once, with their number', () => {
  const errors = [{ message: 'It would be too many.' }];
  const streams = [
    { name: 'lists', errors },
    { name: 'todos', errors: [...errors, { message: 'It fails.' }] },
    { name: 'notes' },
  ];
  expect(problemsIn(streams)).toEqual(['2 streams, such as lists: It would be too many.', 'It fails.']);
});
