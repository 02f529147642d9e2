/** What `--format` can be. */
import type { Paint } from '../colours.ts';
import type { CheckedFile } from './check.ts';
import { githubLines } from './github.ts';
import { junitLines } from './junit.ts';
import { sarifOf } from './sarif.ts';
import { textLines } from './text.ts';

type Said = readonly string[] | { readonly json: unknown };
type Format = (files: readonly CheckedFile[], paint: Paint, isQuiet: boolean) => Said;

export const formats = {
  text: textLines,
  json: (files) => ({
    json: { files: files.map(({ path, kind, diagnostics }) => ({ path, kind, diagnostics })) },
  }),
  github: githubLines,
  sarif: (files) => ({ json: sarifOf(files) }),
  junit: junitLines,
} as const satisfies Record<string, Format>;
