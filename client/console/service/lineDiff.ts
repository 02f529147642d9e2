/** Two texts, line by line: what is only in the first, only in the second, or in both. */

interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Products of lengths above which what differs is shown as a whole: a table of that size is made. */
const largestTable = 4_000_000;

export function diffTexts(before: string, after: string): readonly DiffLine[] {
  const [one, other] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (
    end < one.length - start &&
    end < other.length - start &&
    one[one.length - 1 - end] === other[other.length - 1 - end]
  )
    end += 1;
  return [
    ...lines('same', one.slice(0, start)),
    ...diffMiddle(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...lines('same', one.slice(one.length - end)),
  ];
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** By the longest common subsequence. */
function diffMiddle(one: readonly string[], other: readonly string[]): readonly DiffLine[] {
  if (one.length * other.length > largestTable) return [...lines('removed', one), ...lines('added', other)];
  const width = other.length + 1;
  const longest = new Uint32Array((one.length + 1) * width);
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1)
      longest[row * width + column] =
        one[row] === other[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const result: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < one.length || column < other.length) {
    if (row < one.length && column < other.length && one[row] === other[column]) {
      result.push({ kind: 'same', text: one[row] ?? '' });
      row += 1;
      column += 1;
    } else if (column >= other.length || (row < one.length && at(row + 1, column) >= at(row, column + 1))) {
      result.push({ kind: 'removed', text: one[row] ?? '' });
      row += 1;
    } else {
      result.push({ kind: 'added', text: other[column] ?? '' });
      column += 1;
    }
  }
  return result;
}

interface DiffPart {
  /** Lines that are left out before it, because they are the same in both. */
  readonly skipped: number;
  readonly lines: readonly DiffLine[];
}

/** Only what differs, with some lines around it. */
export function diffParts(all: readonly DiffLine[], around = 3): readonly DiffPart[] {
  const isShown = all.map((_, index) =>
    all.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
  const parts: { skipped: number; lines: DiffLine[] }[] = [];
  let skipped = 0;
  for (const [index, line] of all.entries()) {
    if (!isShown[index]) {
      skipped += 1;
      continue;
    }
    if (skipped > 0 || parts.length === 0) parts.push({ skipped, lines: [] });
    parts.at(-1)?.lines.push(line);
    skipped = 0;
  }
  return skipped > 0 && parts.length > 0 ? [...parts, { skipped, lines: [] }] : parts;
}
