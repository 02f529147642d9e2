/**
 * Writes findings for people, each with its source line.
 *
 * ```text
 * sync.yaml:3:18 error invalid-priority A priority must be 0, 1, 2 or 3.
 *   3 |   x: { priority: 4, query: SELECT * FROM t }
 *     |                  ^
 * ```
 */
import { shorten } from '../../../server/engine/index.ts';
import { harmless, type Paint } from '../colours.ts';
import { type CheckedFile, count, type Diagnostic, shownPlace } from './checkText.ts';

export function textLines(files: readonly CheckedFile[], paint: Paint, isQuiet: boolean): readonly string[] {
  const found = files.flatMap((file) => linesOf(file, paint));
  return isQuiet || files.length === 0 ? found : [...found, summaryOf(files)];
}

function linesOf(file: CheckedFile, paint: Paint): string[] {
  const { path, kind, text, diagnostics } = file;
  if (kind === 'foreign' && diagnostics.length === 0)
    return [`${path}: neither a sync config nor a service config, so it was not checked`];
  if (kind === 'tests' && diagnostics.length === 0)
    return [`${path}: access tests, which headwater test runs`];
  const lines = diagnostics.length > 0 ? text.split(/\r\n|\r|\n/) : [];
  return shorten(diagnostics).flatMap((diagnostic) => {
    const { severity, code, message } = diagnostic;
    const tint = { error: paint.red, warning: paint.yellow, hint: paint.blue }[severity];
    const head = `${paint.bold(shownPlace(file, diagnostic))} ${tint(severity)} ${code} ${harmless(message)}`;
    // The lines of a service config are not shown, because they may contain passwords, and this output may be in the log of a
    // CI system.
    return kind === 'service' ? [head] : [head, ...frameOf(diagnostic, lines, paint)];
  });
}

/** The number of shown characters of a line, and how many of them are in front of the mark. */
const shown = { width: 110, before: 60 };

function frameOf({ range }: Diagnostic, lines: readonly string[], paint: Paint): string[] {
  if (range === undefined) return [];
  const { start, end } = range;
  const line = lines[start.line];
  if (line === undefined || line.trim() === '') return [];
  const from = start.character > shown.width - 20 ? start.character - shown.before : 0;
  const visible = harmless(line.slice(from, from + shown.width));
  const isOneLine = end.line === start.line;
  const last = isOneLine ? end.character : line.length;
  const marks = Math.max(1, Math.min(last - start.character, shown.width - (start.character - from)));
  const number = String(start.line + 1);
  // Tabs are kept, so that the mark is in the right column.
  const indent = visible.slice(0, start.character - from).replace(/[^\t]/g, ' ');
  return [
    `  ${paint.dim(`${number} |`)} ${visible}`,
    `  ${paint.dim(`${' '.repeat(number.length)} |`)} ${indent}${paint.bold('^'.repeat(marks))}`,
  ];
}

/** Returns a summary such as `2 errors, 1 warning, 0 hints in 3 files`. */
function summaryOf(files: readonly CheckedFile[]): string {
  const checked = files.filter(
    ({ kind, diagnostics }) => kind !== 'tests' && (kind !== 'foreign' || diagnostics.length > 0),
  );
  const counts = (['error', 'warning', 'hint'] as const).map((severity) =>
    countNoun(count(files, severity), severity),
  );
  return `${counts.join(', ')} in ${countNoun(checked.length, 'file')}`;
}

export function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
