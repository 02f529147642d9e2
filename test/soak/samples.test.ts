import { expect, test } from 'vitest';
import { growthIn, type Sample, tableOf } from './samples.ts';

const flat: Sample = { seconds: 0, heapMiB: 40, rssMiB: 130, handles: 20, delayMs: 30 };

/** Returns thirty samples with these changes. */
function over(change: (at: number) => Partial<Sample>): readonly Sample[] {
  return Array.from({ length: 30 }, (_, at) => ({ ...flat, seconds: at, ...change(at) }));
}

test('values that stay the same, or grow only at the beginning, are not reported', () => {
  expect(growthIn(over(() => ({})))).toEqual([]);
  expect(
    growthIn(over((at) => ({ heapMiB: at < 10 ? 10 + at * 3 : 40, rssMiB: at < 10 ? 60 : 130 }))),
  ).toEqual([]);
  expect(
    growthIn(over((at) => ({ delayMs: at === 25 ? 900 : 30, handles: at % 2 === 0 ? 20 : 25 }))),
  ).toEqual([]);
});

test.each<[string, (at: number) => Partial<Sample>, RegExp]>([
  ['memory that grows with each sample', (at) => ({ heapMiB: 40 + at }), /^heap in use .* grew from 55/],
  ['memory that is not released', (at) => ({ rssMiB: 130 + 10 * at }), /^resident/],
  ['sockets that stay open', (at) => ({ handles: 20 + 2 * at }), /^handles grew from 50\.0 to 70/],
  ['a loop with longer and longer delays', (at) => ({ delayMs: at ** 3 }), /^loop delay/],
])('%s is reported', (_, change, expected) => {
  const [growth, ...others] = growthIn(over(change));
  expect(growth).toMatch(expected);
  expect(others).toEqual([]);
});

test('a run that was too short does not pass', () => {
  expect(growthIn([flat])).toHaveLength(1);
});

test('the table has a row for the first and the last sample, and a few between them', () => {
  const lines = tableOf(over(() => ({}))).split('\n');
  expect(lines.length).toBeLessThanOrEqual(18);
  expect(lines.at(-1)?.trim()).toMatch(/^29 /);
});
