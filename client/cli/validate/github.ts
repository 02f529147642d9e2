/**
 * Workflow commands of GitHub Actions, which become annotations:
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
import type { CheckedFile, Diagnostic } from './checkText.ts';

const levels = { error: 'error', warning: 'warning', hint: 'notice' } as const;

export function githubLines(files: readonly CheckedFile[]): readonly string[] {
  return files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ severity, code, message, range }) =>
      annotation(levels[severity], { path, range, title: code }, message),
    ),
  );
}

interface AnnotationPlace {
  readonly path: string;
  readonly range: Diagnostic['range'];
  readonly title: string;
}

export function annotation(
  level: string,
  { path, range: { start, end }, title }: AnnotationPlace,
  text: string,
): string {
  const properties = {
    file: path,
    line: start.line + 1,
    endLine: end.line + 1,
    // Columns of a range over several lines are not shown, and some versions refuse them.
    ...(start.line === end.line && { col: start.character + 1, endColumn: end.character + 1 }),
    title,
  };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${list.join(',')}::${data(text)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
