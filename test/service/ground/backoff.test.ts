import { expect, test } from 'vitest';
import { backoffAfter } from '../../../server/service/ground/backoff.ts';

test('pauses double up to the longest pause, however many attempts fail', () => {
  const pauses = [1, 2, 3, 4, 5, 5000].map((attempts) => backoffAfter(attempts, { first: 10, longest: 70 }));
  expect(pauses).toEqual([10, 20, 40, 70, 70, 70]);
});
