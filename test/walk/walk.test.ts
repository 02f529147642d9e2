import { expect, test } from 'vitest';
import { walk } from './walk.ts';

test.each([1, 2, 3])(
  'A random walk of seed %i fails nowhere, and ends as one begins',
  { timeout: 30_000 },
  async (seed) => {
    const { problems, requests, edits } = await walk(600, seed);
    expect(problems).toEqual([]);
    expect(requests).toBeGreaterThan(150);
    expect(edits).toBeGreaterThan(150);
  },
);
