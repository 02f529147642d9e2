/** Stored inputs that once failed, or whose outcome no other input has, in `test/fixtures/fuzz/<target>/`. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';

/** Inputs by file name. */
export type Corpus = ReadonlyMap<string, Buffer>;

const folderOf = (target: string): string => join(root, 'test/fixtures/fuzz', target);

export function readCorpus(target: string): Corpus {
  const folder = folderOf(target);
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Writes an input, and returns its path relative to the root. */
export function writeInput(target: string, input: Buffer): string {
  const name = createHash('sha256').update(input).digest('hex').slice(0, 12);
  mkdirSync(folderOf(target), { recursive: true });
  writeFileSync(join(folderOf(target), name), input);
  return `test/fixtures/fuzz/${target}/${name}`;
}
