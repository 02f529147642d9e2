/** Compares two lists of lines. Each line is only in the first, only in the second, or in both. */

export interface ComparedLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/**
 * The maximum number of cells in the table, enough for 2,000 changed lines on each side. With more cells, all lines between the
 * equal beginning and end count as changed.
 */
const largestTable = 4_000_000;

export function compareLines(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    ...linesOf('same', before.slice(0, start)),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...linesOf('same', before.slice(before.length - end)),
  ];
}

/** Returns for each line whether it is shown: the changed lines, and `around` lines before and after each of them. */
export function nearChanges(all: readonly ComparedLine[], around: number): readonly boolean[] {
  return all.map((_, index) =>
    all.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
}

function linesOf(kind: ComparedLine['kind'], texts: readonly string[]): readonly ComparedLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Compares the lines along their longest common subsequence. */
function compareMiddle(a: readonly string[], b: readonly string[]): readonly ComparedLine[] {
  const width = b.length + 1;
  if ((a.length + 1) * width > largestTable) return [...linesOf('removed', a), ...linesOf('added', b)];
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: ComparedLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      lines.push({ kind: 'removed', text: a[i++] ?? '' });
    else lines.push({ kind: 'added', text: b[j++] ?? '' });
  }
  return lines;
}
