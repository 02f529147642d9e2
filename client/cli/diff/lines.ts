/** What differs between two texts, in the form that `diff -u` has. */

/** Lines around a change that are shown. */
const around = 3;
/** Cells of the table: 2,000 lines that changed against as many. Beyond, all of them count as changed. */
const largestTable = 4_000_000;

interface Line {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

export function changes(before: string, after: string): readonly string[] {
  const all = compare(linesIn(before), linesIn(after));
  const isShown = all.map((_, index) =>
    all.slice(Math.max(0, index - around), index + around + 1).some(({ sign }) => sign !== ' '),
  );
  let [old, young] = [1, 1];
  return all.flatMap(({ sign, text }, index) => {
    const head = isShown[index] && !isShown[index - 1] ? [`@@ -${old} +${young} @@`] : [];
    if (sign !== '+') old += 1;
    if (sign !== '-') young += 1;
    return isShown[index] ? [...head, `${sign}${text}`] : [];
  });
}

/** A last line without an end is another line than one with it. */
function linesIn(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines[lines.length - 1] += ' (no line break at the end)';
  return lines;
}

function compare(a: readonly string[], b: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const same = (text: string): Line => ({ sign: ' ', text });
  return [
    ...a.slice(0, start).map(same),
    ...compareMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

/** Along the longest common subsequence. */
function compareMiddle(a: readonly string[], b: readonly string[]): readonly Line[] {
  const width = b.length + 1;
  if ((a.length + 1) * width > largestTable)
    return [
      ...a.map((text) => ({ sign: '-' as const, text })),
      ...b.map((text) => ({ sign: '+' as const, text })),
    ];
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      lines.push({ sign: '-', text: a[i++] ?? '' });
    else lines.push({ sign: '+', text: b[j++] ?? '' });
  }
  return lines;
}
