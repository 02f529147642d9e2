/** Finds the files that tests read without importing them, judged by the text of the test. */
import { matchesGlob, posix } from 'node:path';
import type { Source } from '../../test/support/house/imports.ts';

/** Paths of files and folders, and patterns of paths, all relative to the root. */
export type References = readonly string[];

const quoted = /'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`/g;
const joined = /\bjoin\(root((?:,\s*'[^']+')+)/g;
const folderOfSources = /\bsourcesIn\('([^']+)'\)/g;

/** Returns the files that a test or a script reads. The product reads files of its users, not of the repository. */
export function referencesOf({ path, text }: Source): References {
  if (!/^(?:test|scripts)\//.test(path)) return [];
  const found = new Set<string>();
  for (const [, list = ''] of text.matchAll(joined))
    found.add(posix.join(...[...list.matchAll(/'([^']+)'/g)].map(([, part = '']) => part)));
  for (const [, folder = ''] of text.matchAll(folderOfSources)) found.add(folder);
  for (const [, single, double, template = ''] of text.matchAll(quoted))
    for (const each of meaningsOf(single ?? double ?? template, path)) found.add(each);
  return [...found];
}

/** Returns the paths that a literal may mean. A single word is ignored, because few words are paths. */
function meaningsOf(literal: string, from: string): readonly string[] {
  const fromRoot = literal.replace(/^\$\{root\}\//, '');
  // The folder is unknown, so the name identifies no file.
  if (fromRoot.startsWith('${')) return [];
  const written = fromRoot.replaceAll(/\$\{[^}]*\}/g, '*');
  if (!/^[\w.*@{},/-]*[/.][\w.*@{},/-]*$/.test(written) || /^[*./]*$/.test(written)) return [];
  const beside = withoutSlash(posix.join(posix.dirname(from), written));
  if (written.startsWith('.')) return [beside, written];
  // The folder in which a pattern is searched is rarely part of the pattern.
  return isPattern(written) ? [written, `**/${written}`] : [withoutSlash(written), beside];
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

function isPattern(path: string): boolean {
  return /[*{]/.test(path);
}

export function namesFile(references: References, path: string): boolean {
  return references.some((each) =>
    isPattern(each) ? matchesGlob(path, each) : path === each || path.startsWith(`${each}/`),
  );
}
