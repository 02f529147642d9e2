/** Stored inputs that once failed, or whose outcome no other input has, in `test/fixtures/fuzz/<target>/`. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../../scripts/root.ts';

/** Inputs by file name. */
export type Corpus = ReadonlyMap<string, Buffer>;

const stored = 'test/fixtures/fuzz';

const folderOf = (target: string): string => join(root, stored, target);

export function readCorpus(target: string): Corpus {
  const folder = folderOf(target);
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Writes an input, and returns its path. `npm run mutants` chooses another folder, because its failures are intended. */
export function writeInput(target: string, input: Buffer): string {
  const folder = join(process.env.HEADWATER_FUZZ_INPUTS ?? stored, target);
  const path = join(folder, createHash('sha256').update(input).digest('hex').slice(0, 12));
  mkdirSync(resolve(root, folder), { recursive: true });
  writeFileSync(resolve(root, path), input);
  return path;
}
