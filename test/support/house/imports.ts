/** Reads the imports of files from their text, because bundlers drop imports of types. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

export const root = dirname(dirname(dirname(import.meta.dirname)));

export interface Source {
  /** The path from the root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The paths of imported files of this repository, and the names of imported packages and Node modules as they are written. */
  readonly imports: readonly string[];
}

/** Returns all files of a folder that are written by hand. */
export function sourcesIn(folder: string): readonly Source[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('test/fixtures/') && !path.endsWith('.d.ts'))
    .sort()
    .map(read);
}

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, imports: specifiersOf(text).map((specifier) => resolve(path, specifier)) };
}

const statement = /^(?:import|export)\b[^;'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

function specifiersOf(text: string): string[] {
  return [...text.matchAll(statement)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
}

function resolve(from: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier;
}

/** Returns the given files and all files that they import, directly or indirectly. */
export function reachableFrom(entries: readonly string[], sources: readonly Source[]): ReadonlySet<string> {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...(importsOf.get(path) ?? []));
  }
  return reached;
}
