/** The values of `--format`. */
import { shorten } from '../../../server/engine/index.ts';
import type { Paint } from '../colours.ts';
import type { CheckedFile } from './checkText.ts';
import { githubLines } from './github.ts';
import { junitLines } from './junit.ts';
import { sarifOf } from './sarif.ts';
import { textLines } from './text.ts';

type FormatOutput = readonly string[] | { readonly json: unknown };
type Format = (
  files: readonly CheckedFile[],
  paint: Paint,
  isQuiet: boolean,
  unreadable: readonly UnreadableFile[],
) => FormatOutput;

export interface UnreadableFile {
  readonly path: string;
  readonly message: string;
}

export const formats = {
  text: textLines,
  json: (files, _paint, _isQuiet, unreadable) => ({
    json: {
      files: files.map(({ path, kind, diagnostics }) => ({ path, kind, diagnostics: shorten(diagnostics) })),
      ...(unreadable.length > 0 && { unreadable }),
    },
  }),
  github: (files) => githubLines(files.map(shortenFindings)),
  sarif: (files) => ({ json: sarifOf(files.map(shortenFindings)) }),
  junit: (files, paint) => junitLines(files.map(shortenFindings), paint),
} as const satisfies Record<string, Format>;

function shortenFindings(file: CheckedFile): CheckedFile {
  return { ...file, diagnostics: shorten(file.diagnostics) };
}
