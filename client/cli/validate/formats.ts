/** What `--format` can be. */
import type { Paint } from '../colours.ts';
import type { CheckedFile } from './check.ts';
import { githubLines } from './github.ts';
import { junitLines } from './junit.ts';
import { sarifOf } from './sarif.ts';
import { textLines } from './text.ts';

type Said = readonly string[] | { readonly json: unknown };
type Format = (
  files: readonly CheckedFile[],
  paint: Paint,
  isQuiet: boolean,
  unreadable: readonly Unreadable[],
) => Said;

export interface Unreadable {
  readonly path: string;
  readonly message: string;
}

export const formats = {
  text: textLines,
  json: (files, _paint, _isQuiet, unreadable) => ({
    json: {
      files: files.map(({ path, kind, diagnostics }) => ({ path, kind, diagnostics })),
      ...(unreadable.length > 0 && { unreadable }),
    },
  }),
  github: githubLines,
  sarif: (files) => ({ json: sarifOf(files) }),
  junit: junitLines,
} as const satisfies Record<string, Format>;
