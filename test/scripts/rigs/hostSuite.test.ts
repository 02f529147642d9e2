import { expect, test } from 'vitest';
import { readConsole } from '../../../scripts/rigs/hostSuite.ts';

const noise = 'Ignoring fetching additional builtin extensions from gallery as it is disabled.';

test('the suite is heard among what VS Code says', () => {
  const entries = [
    noise,
    '  ✔ works (3 ms)',
    noise,
    '  ✖ fails\nError: why\n  at place',
    '1 passed, 1 failed',
    noise,
  ];
  expect(readConsole(entries, 1)).toEqual({
    printed: ['  ✔ works (3 ms)', '  ✖ fails\nError: why\n  at place'],
    tally: { passed: 1, failed: 1, skipped: 0 },
  });
});

test('a suite that never counted has failed', () => {
  expect(readConsole([noise], 0).tally.failed).toBe(1);
});

test('a suite that counted no failure and yet ended with an error has failed', () => {
  expect(readConsole(['3 passed, 0 failed'], 1).tally.failed).toBe(1);
});
