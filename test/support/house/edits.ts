/** Edits that put mistakes into a copy of a file on purpose, to check that tests detect these mistakes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './imports.ts';

export interface Edit {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Replaces `from` with `to` in the text. Throws if `from` does not occur exactly once. */
export function applyEdit(text: string, { file, from, to }: Edit): string {
  const [before, after, ...others] = text.split(from);
  if (after === undefined || others.length > 0) throw new Error(`${file} does not have this once: ${from}`);
  return `${before}${to}${after}`;
}

/** Returns the edits whose place does not occur exactly once in the file. */
export function misfits(edits: readonly Edit[]): readonly Edit[] {
  return edits.filter(({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length !== 2);
}
