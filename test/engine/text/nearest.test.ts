import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from '../../../server/engine/text/nearest.ts';

test.each([
  ['tsks', ['tasks', 'lists'], 'tasks'],
  ['owner_di', ['owner_id', 'owner'], 'owner_id'],
  ['TASKS', ['tasks'], 'tasks'],
  ['post', ['postgresql'], undefined],
  ['ab', ['cd'], undefined],
  ['', ['a'], undefined],
])('%j among %j means %j', (typed, names, meant) => {
  expect(nearest(typed, names)).toBe(meant);
});

test('the nearest of several wins', () => {
  expect(nearest('straems', ['stream', 'streams'])).toBe('streams');
});

test('a long text is never a typing mistake, and costs no time', () => {
  expect(nearest('x'.repeat(1_000_000), ['x'.repeat(999_999)])).toBeUndefined();
});

test('has the same result as a comparison with each name', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'B'), maxLength: 7 });
  fc.assert(
    fc.property(word, fc.uniqueArray(word, { maxLength: 12 }), (typed, names) => {
      const found = nearestOfAll(typed, names);
      expect(nearest(typed, names)).toBe(found);
      expect(nearest(typed, new Map(names.map((name) => [name, 1])))).toBe(found);
    }),
    { seed: 1, numRuns: 3000 },
  );
});

test.each([
  ['known ones', (i: number) => `some_table_${i}`, (i: number) => `other_thing_${i}`],
  ['names that differ in a few letters', (i: number) => `table_${i}`, (i: number) => `tbale_${i}x`],
])('unknown names, as many as %s, take a few steps each', (_, known, unknown) => {
  const steps = (count: number): number => {
    const tables = new Map(Array.from({ length: count }, (_, i) => [known(i), i]));
    let taken = 0;
    for (let i = 0; i < count; i += 1) nearest(unknown(i), tables, () => (taken += 1));
    return taken;
  };
  expect(steps(2_000)).toBeLessThan(3 * steps(1_000));
});

test('at most a thousand names of a generated list are compared', () => {
  let taken = 0;
  function* names(): Iterable<string> {
    for (; taken < 1_000_000; taken += 1) yield `table_${taken}`;
  }
  expect(nearest('tabel_1', names())).toBe('table_1');
  expect(taken).toBe(1_000);
});

/** Returns the same result in the slow and simple way. */
function nearestOfAll(typed: string, names: readonly string[]): string | undefined {
  const limit = Math.min(2, Math.floor((typed.length - 1) / 2));
  const distances = names.map((name) => slips(typed.toLowerCase(), name.toLowerCase()));
  const least = Math.min(limit + 1, ...distances);
  return least > limit ? undefined : names[distances.indexOf(least)];
}

function slips(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(replaced, at(i - 1, j) + 1, at(i, j - 1) + 1, swapped));
    }
  }
  return at(a.length, b.length);
}
