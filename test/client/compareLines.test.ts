import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareLines } from '../../client/compareLines.ts';

const drawn = (before: string, after: string): string =>
  compareLines([...before], [...after])
    .map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`)
    .join('');

test('Lines are kept, removed and added, and a change shows its removed lines first', () => {
  expect(drawn('abc', 'abc')).toBe(' a b c');
  expect(drawn('abcde', 'axyde')).toBe(' a-b-c+x+y d e');
  expect(drawn('', 'ab')).toBe('+a+b');
  expect(drawn('abcabba', 'cbabac').match(/[-+]/g)).toHaveLength(5);
});

test('Both lists are in the result, with as few changes as possible', () => {
  const lists = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
  fc.assert(
    fc.property(lists, lists, (before, after) => {
      const found = compareLines(before, after);
      const textsOf = (kind: string) => found.flatMap((line) => (line.kind === kind ? [] : [line.text]));
      expect(textsOf('added')).toEqual(before);
      expect(textsOf('removed')).toEqual(after);
      expect(found.filter(({ kind }) => kind === 'same')).toHaveLength(commonLength(before, after));
    }),
  );
});

test('A few changes that are far apart in a large text are found', () => {
  const before = Array.from({ length: 20_000 }, (_, line) => `line ${line}`);
  const after = before.map((text, line) => (line % 5_000 === 100 ? `${text}!` : text));
  const changed = compareLines(before, after).filter(({ kind }) => kind !== 'same');
  expect(changed).toHaveLength(8);
});

test('All lines of large texts without a common line are changes', () => {
  const [before, after] = ['a', 'b'].map((name) => Array.from({ length: 6_000 }, (_, line) => name + line));
  expect(compareLines(before ?? [], after ?? []).map(({ kind }) => kind)).toEqual([
    ...Array(6_000).fill('removed'),
    ...Array(6_000).fill('added'),
  ]);
});

/** Returns the length of the longest common subsequence, calculated in the simplest way. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row: readonly number[] = Array(b.length + 1).fill(0);
  for (const each of a) {
    const next = [0];
    for (const [at, other] of b.entries())
      next.push(each === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}
