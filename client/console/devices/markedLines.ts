/** The lines of a config around marks, in pieces that are marked or not. */
import type { Mark } from '../../../server/shared/absenceWords.ts';

interface MarkedLine {
  /** The line number, counted from 1. */
  readonly number: number;
  readonly pieces: readonly { readonly text: string; readonly isMarked: boolean }[];
}

/** The number of lines that are shown before and after the marks. */
const around = 4;

/** Returns the lines around the marks. An undefined entry is a gap, in which lines are left out. */
export function markedLines(text: string, marks: readonly Mark[]): readonly (MarkedLine | undefined)[] {
  const lines = text.split('\n');
  const starts: number[] = [];
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += line.length + 1;
  }
  const isNear = (index: number): boolean =>
    marks.some(({ start: from, end: to }) => {
      const first = starts.findLastIndex((at) => at <= from);
      const last = starts.findLastIndex((at) => at <= Math.max(from, to - 1));
      return index >= first - around && index <= last + around;
    });
  const shown: (MarkedLine | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNear(index))
      shown.push({ number: index + 1, pieces: piecesOf(line.replace(/\r$/, ''), starts[index] ?? 0, marks) });
    else if (shown.length > 0 && shown.at(-1) !== undefined) shown.push(undefined);
  }
  return shown.at(-1) === undefined ? shown.slice(0, -1) : shown;
}

function piecesOf(line: string, start: number, marks: readonly Mark[]): MarkedLine['pieces'] {
  const within = (offset: number): number => Math.min(Math.max(offset - start, 0), line.length);
  const edges = [0, line.length, ...marks.flatMap(({ start: from, end }) => [within(from), within(end)])];
  const sorted = [...new Set(edges)].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => {
    const from = sorted[index] ?? 0;
    const isMarked = marks.some((mark) => mark.start <= start + from && mark.end >= start + end);
    return { text: line.slice(from, end), isMarked };
  });
}
