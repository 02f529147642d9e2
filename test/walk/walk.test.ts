import { expect, test } from 'vitest';
import { casesOf } from '../support/house/share.ts';
import { walk } from './walk.ts';

test.each([1, 2, 3])('A random walk of seed %i fails nowhere, and ends as one begins', async (seed) => {
  const { problems, requests, edits } = await walk(casesOf(600), seed);
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(casesOf(150));
  expect(edits).toBeGreaterThan(casesOf(150));
});
