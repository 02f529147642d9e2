/** The differences between two texts, in the form of `diff -u`. */
import { compareLines, nearChanges } from '../../compareLines.ts';

/** The number of unchanged lines that are shown around a change. */
const around = 3;

const signs = { same: ' ', removed: '-', added: '+' } as const;

export function changes(before: string, after: string): readonly string[] {
  const all = compareLines(linesIn(before), linesIn(after));
  const isShown = nearChanges(all, around);
  let [old, young] = [1, 1];
  return all.flatMap(({ kind, text }, index) => {
    const head = isShown[index] && !isShown[index - 1] ? [`@@ -${old} +${young} @@`] : [];
    if (kind !== 'added') old += 1;
    if (kind !== 'removed') young += 1;
    return isShown[index] ? [...head, `${signs[kind]}${text}`] : [];
  });
}

/** Splits a text into lines. A last line without a line break differs from the same line with one. */
function linesIn(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines[lines.length - 1] += ' (no line break at the end)';
  return lines;
}
