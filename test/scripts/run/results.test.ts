import { expect, test } from 'vitest';
import { countResults, describeLoss } from '../../../scripts/run/results.ts';

test('tests without a result count as nothing', () => {
  expect(countResults(['passed', 'pending', 'skipped', 'failed', 'passed'])).toEqual({
    passed: 2,
    failed: 1,
    skipped: 1,
    unknown: 1,
  });
});

test.each([
  { states: ['passed'], lost: undefined },
  { states: ['skipped'], lost: undefined },
  { states: ['passed', 'pending'], lost: 'The file ended without the results of 1 of its tests.' },
  { states: [], lost: 'The file ended, but none of its tests was reported.' },
] as const)('a file with the results $states lacks: $lost', ({ states, lost }) => {
  expect(describeLoss(countResults(states))).toBe(lost);
});
