/** The findings of a file and their fixes, in the form for agents. */
import { dirname, resolve } from 'node:path';
import {
  type Analysis,
  analyze,
  messageOf,
  type Position,
  positionsIn,
  severityOf,
} from '../../../server/engine/index.ts';
import { repairsOf } from '../../../server/features/judging/judging.ts';
import type { JudgedFile, JudgedFinding, JudgedFix } from '../../agents/judge.ts';
import { readText } from '../read.ts';
import type { SchemaLookup } from '../schemaLookup.ts';
import { diagnosticsOf } from '../validate/checkText.ts';
import { unreadOf } from '../validate/named.ts';
import type { World } from '../world.ts';

interface FileToCheck {
  readonly path: string;
  readonly isNamed: boolean;
  /** The text that replaces the content of the file. */
  readonly text: string | undefined;
}

export async function checkForAgents(
  file: FileToCheck,
  lookup: SchemaLookup,
  { files, folder }: World,
): Promise<JudgedFile> {
  const { path } = file;
  const text = file.text?.replace(/^\ufeff/, '') ?? (await readText(path, files));
  const fileName = resolve(folder, path);
  const analysis = analyze(text, {
    ...(await lookup(path, text)),
    fileName,
    files: { exists: (named) => files.exists(resolve(dirname(fileName), named)) },
  });
  const { kind } = analysis;
  const unread = kind === 'foreign' ? unreadOf(text, file) : [];
  const findings =
    unread.length === 0
      ? findingsOf(path, analysis)
      : diagnosticsOf(unread, text).map(({ range, code, severity, message }) => ({
          file: path,
          code,
          severity,
          message,
          from: placeOf(range.start),
          to: placeOf(range.end),
          fixes: () => [],
        }));
  return { file: path, kind, findings };
}

export function findingsOf(path: string, analysis: Analysis): readonly JudgedFinding[] {
  const { text, kind, findings } = analysis;
  const positionAt = positionsIn(text);
  const place = (offset: number): string => placeOf(positionAt(offset));
  return findings.map((finding) => ({
    file: path,
    severity: severityOf(finding.code),
    code: finding.code,
    from: place(finding.span.start),
    to: place(finding.span.end),
    message: messageOf(finding),
    fixes: () =>
      repairsOf(analysis, finding).map(
        ({ title, isSure, edits }): JudgedFix => ({
          title,
          ...(isSure && { sure: true as const }),
          // A value of a service config may be a secret, and an edit may repeat it.
          ...(kind !== 'service' && {
            edits: edits.map(({ span, text: inserted }) => ({
              from: place(span.start),
              to: place(span.end),
              text: inserted,
            })),
          }),
        }),
      ),
  }));
}

function placeOf({ line, character }: Position): string {
  return `${line + 1}:${character + 1}`;
}
