/**
 * Workflow commands of GitHub Actions, which become annotations:
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
import type { CheckedFile, Diagnostic, FoundDiagnostic } from './checkText.ts';

const levels = { error: 'error', warning: 'warning', hint: 'notice' } as const;

export function githubLines(files: readonly CheckedFile[]): readonly string[] {
  return files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ severity, code, message, range }) =>
      annotation(levels[severity], { path, title: code, ...(range && { range }) }, message),
    ),
  );
}

interface AnnotationPlace {
  readonly path: string;
  readonly range?: Diagnostic['range'];
  readonly title: string;
}

export function annotation(level: string, place: AnnotationPlace, text: string): string {
  const { path, range, title } = place;
  // An annotation of a file always has a line: the first one, if none is given.
  const [properties, message] =
    range === undefined ? [{}, `${path}: ${text}`] : [{ file: path, ...linesOf(range) }, text];
  const list = Object.entries({ ...properties, title }).map(
    ([name, value]) => `${name}=${property(String(value))}`,
  );
  return `::${level} ${list.join(',')}::${data(message)}`;
}

function linesOf({ start, end }: FoundDiagnostic['range']): object {
  return {
    line: start.line + 1,
    endLine: end.line + 1,
    // Columns of a range over several lines are not shown, and some versions refuse them.
    ...(start.line === end.line && { col: start.character + 1, endColumn: end.character + 1 }),
  };
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
