import { expect, test } from 'vitest';
import { add, format, nothing, ofExitCode, ofRunner } from '../../scripts/run/tally.ts';

test('a runner is counted by its last line', () => {
  expect(ofRunner('1 passed, 1 failed\nnoise\n12 passed, 0 failed, 3 skipped\n', 0)).toEqual({
    passed: 12,
    failed: 0,
    skipped: 3,
  });
});

test.each([
  ['it crashed before it counted', 'Error: boom\n', 1, 1],
  ['it was killed', '12 passed, 0 failed\n', null, 1],
  ['it ended well without a count', 'all good\n', 0, 1],
  ['it ran no test at all', '0 passed, 0 failed\n', 0, 1],
  ['it said nothing', '', 0, 1],
  ['it failed without a failure', '12 passed, 0 failed\n', 1, 1],
  ['it ended well with failures', '12 passed, 2 failed\n', 0, 2],
  ['it reports failures', '12 passed, 2 failed\n', 1, 2],
])('a runner has failed when %s', (_, output, code, failed) => {
  expect(ofRunner(output, code).failed).toBe(failed);
});

test('a step without a count is one check', () => {
  expect(format(ofExitCode(0))).toBe('1 passed, 0 failed');
  expect(format(ofExitCode(null))).toBe('0 passed, 1 failed');
});

test('skipped tests are named only when there are any', () => {
  const one = { passed: 1, failed: 0, skipped: 1 };
  expect(format(add(one, one))).toBe('2 passed, 0 failed, 2 skipped');
  expect(format(nothing)).toBe('0 passed, 0 failed');
});
