/** Checks one file: the engine's findings, for people and for programs. */
import { dirname, resolve } from 'node:path';
import {
  analyze,
  type FileKind,
  type KnownSource,
  messageOf,
  type Position,
  positionsIn,
  type Severity,
  severityOf,
} from '../../../server/engine/index.ts';
import type { World } from '../world.ts';

export interface Diagnostic {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /**
   * The range, counted from 0 as in the language server protocol. Absent if the problem is not about a place in the file, for
   * example because a service cannot reach its source.
   */
  readonly range?: Range;
}

interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A problem that the engine has found in a text. */
export type FoundDiagnostic = Diagnostic & { readonly range: Range };

export interface CheckedFile<Found extends Diagnostic = Diagnostic> {
  readonly path: string;
  readonly kind: FileKind;
  readonly text: string;
  readonly diagnostics: readonly Found[];
}

export function checkText(
  path: string,
  content: string,
  known: KnownSource | undefined,
  { files, folder }: Pick<World, 'files' | 'folder'>,
): CheckedFile<FoundDiagnostic> {
  // Editors do not count a byte order mark as text.
  const text = content.replace(/^\ufeff/, '');
  const fileName = resolve(folder, path);
  const { kind, findings } = analyze(text, {
    ...known,
    fileName,
    files: { exists: (named) => files.exists(resolve(dirname(fileName), named)) },
  });
  return { path, kind, text, diagnostics: diagnosticsOf(findings, text) };
}

/** Moves the findings of a sync config to their places in its file, if that is the service config around it. */
export function placedInFile(
  checked: CheckedFile,
  { fileText, known }: { readonly fileText: string; readonly known?: KnownSource | undefined },
  world: Pick<World, 'files' | 'folder'>,
): CheckedFile {
  if (fileText === checked.text) return checked;
  const around = checkText(checked.path, fileText, known, world);
  if (around.kind !== 'service') return checked;
  const isOwn = ({ code, message }: Diagnostic): boolean =>
    checked.diagnostics.some((own) => own.code === code && own.message === message);
  return { ...checked, text: around.text, diagnostics: around.diagnostics.filter(isOwn) };
}

export function diagnosticsOf(
  findings: ReturnType<typeof analyze>['findings'],
  text: string,
): readonly FoundDiagnostic[] {
  const positionAt = positionsIn(text);
  return findings.map((finding) => ({
    severity: severityOf(finding.code),
    code: finding.code,
    message: messageOf(finding),
    range: { start: positionAt(finding.span.start), end: positionAt(finding.span.end) },
  }));
}

/** Returns the path of a problem, with its line and column if it has a place. */
export function shownPlace({ path }: Pick<CheckedFile, 'path'>, { range }: Diagnostic): string {
  return range === undefined ? path : `${path}:${range.start.line + 1}:${range.start.character + 1}`;
}

export function count(files: readonly CheckedFile[], severity: Severity): number {
  return files.flatMap(({ diagnostics }) => diagnostics).filter((found) => found.severity === severity)
    .length;
}
