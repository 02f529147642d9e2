/** Draws rows for people as a table of text. */
import measure from 'fast-string-truncated-width';

/** The maximum width of a column in cells of the terminal. An emoji or a Chinese character takes two. Longer texts are cut, and end with an ellipsis. */
const widest = 60;

export function drawTable(
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): readonly string[] {
  const cells = [columns, ...rows].map((row) => columns.map((_, at) => drawCell(row[at] ?? null)));
  // There may be more rows than a function can have arguments.
  const widths = columns.map((_, at) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), 0),
  );
  const draw = (row: readonly string[]) =>
    row
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd();
  const [head = [], ...body] = cells;
  return [draw(head), widths.map((width) => '─'.repeat(width)).join('  '), ...body.map(draw)];
}

/** Writes a value on one line. */
function drawCell(value: string | null): string {
  if (value === null) return '∅';
  const line = value.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
  // The end is at a whole character, also if that consists of several code points.
  const { ellipsed, index } = measure(line, { limit: widest, ellipsis: '…', ellipsisWidth: 1 });
  return ellipsed ? `${line.slice(0, index)}…` : line;
}

function widthOf(text: string): number {
  return measure(text).width;
}
