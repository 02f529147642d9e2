import { expect, test } from 'vitest';
import type { Progress } from '../../../scripts/run/progress.ts';
import { SuiteCount } from '../../../scripts/run/vitest.ts';

const started = (file: string): Progress => ({ kind: 'started', file });
const ended = (file: string, passed: number, failed = 0): Progress => ({
  kind: 'ended',
  file,
  tally: { passed, failed, skipped: 0 },
  seconds: 1,
});

function countOf(
  progress: readonly Progress[],
  end: { readonly code: number | null; readonly output: string },
) {
  const count = new SuiteCount();
  for (const each of progress) count.take(each);
  for (const each of count.missing(end)) count.take(each);
  return count;
}

test.each<[string, readonly Progress[], number | null, { passed: number; failed: number }]>([
  ['ends well', [started('a'), ended('a', 3)], 0, { passed: 3, failed: 0 }],
  ['has a failure', [started('a'), ended('a', 3, 1)], 1, { passed: 3, failed: 1 }],
  [
    'is killed in its second file',
    [started('a'), ended('a', 3), started('b')],
    null,
    { passed: 3, failed: 1 },
  ],
  ['runs nothing', [], 0, { passed: 0, failed: 1 }],
  ['fails outside of its files', [started('a'), ended('a', 3)], 1, { passed: 3, failed: 1 }],
])('a suite that %s', (_, progress, code, expected) => {
  const count = countOf(progress, { code, output: 'why' });
  expect(count.tally).toMatchObject(expected);
});

test('an unfinished file is named', () => {
  expect(countOf([started('a')], { code: null, output: '' }).failures).toEqual(['✖ a did not end.']);
});
