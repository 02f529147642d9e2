/** Draws rows for people as a table of text. */

/** The maximum width of a column in characters. Longer texts are cut, and end with an ellipsis. */
const widest = 60;

export function drawTable(
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): readonly string[] {
  const cells = [columns, ...rows].map((row) => columns.map((_, at) => drawCell(row[at] ?? null)));
  // There may be more rows than a function can have arguments.
  const widths = columns.map((_, at) => cells.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0));
  const draw = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const [head = [], ...body] = cells;
  return [draw(head), widths.map((width) => '─'.repeat(width)).join('  '), ...body.map(draw)];
}

/** Writes a value on one line. */
function drawCell(value: string | null): string {
  if (value === null) return '∅';
  const line = value.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
  return line.length > widest ? `${line.slice(0, widest - 1)}…` : line;
}
