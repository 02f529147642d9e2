/** The differences between two texts, in the parts that the screen shows. */
import { type ComparedLine, compareLines, nearChanges } from '../../compareLines.ts';

export function diffTexts(before: string, after: string): readonly ComparedLine[] {
  return compareLines(before.split('\n'), after.split('\n'));
}

interface DiffPart {
  /** The number of equal lines that are left out before this part. */
  readonly skipped: number;
  readonly lines: readonly ComparedLine[];
}

/** Returns only the differences, with some lines around them. */
export function diffParts(all: readonly ComparedLine[], around = 3): readonly DiffPart[] {
  const isShown = nearChanges(all, around);
  const parts: { skipped: number; lines: ComparedLine[] }[] = [];
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
