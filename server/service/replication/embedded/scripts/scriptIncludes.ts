/** Finds the files that scripts include with `\i` and `\ir`. Only files of the project are read. */

import { realpath } from 'node:fs/promises';
import { isAbsolute, posix, relative, resolve } from 'node:path';
import { readScript } from '../../../../engine/ddl/script.ts';
import type { SqlFile } from '../../../../engine/ddl/sqlFile.ts';
import { readSqlText } from '../../../../shared/files.ts';
import { namesIn, readPath } from '../../../../shared/uri.ts';
import type { SchemaPath } from '../../../config/settings.ts';
import { toLoadStep } from '../loading/step.ts';

export interface IncludedFiles {
  /** The files, each of them once. */
  readonly files: readonly SqlFile[];
  /** Returns the paths of all files that a file includes, directly or through others. */
  readonly of: (path: string) => readonly string[];
}

/** Reads the included files. Files outside of the project are skipped, so the script fails there when it runs. */
export async function readIncludes(
  scripts: readonly SqlFile[],
  schema: readonly SchemaPath[],
): Promise<IncludedFiles> {
  const files = new Map<string, SqlFile>();
  const direct = new Map<string, readonly string[]>();
  const waiting = [...scripts];
  for (let script = waiting.pop(); script; script = waiting.pop()) {
    const paths: string[] = [];
    for (const names of includesIn(script)) {
      const found = await firstOf(names, schema);
      if (found === undefined) continue;
      paths.push(found.path);
      if (files.has(found.path)) continue;
      files.set(found.path, found);
      waiting.push(found);
    }
    direct.set(script.path, paths);
  }
  return { files: [...files.values()], of: (path) => reachedFrom(path, direct) };
}

/** Returns the possible paths of each include: next to the script, or where psql is started. */
function includesIn({ path, text }: SqlFile): readonly (readonly string[])[] {
  // Most scripts include nothing, and parsing one of 50 MB takes seconds.
  if (!/^[ \t]*\\i/m.test(text)) return [];
  const found: (readonly string[])[] = [];
  for (const step of readScript(text)) {
    const command = step.kind === 'command' ? toLoadStep(text, step) : undefined;
    if (command?.kind !== 'include') continue;
    const name = readPath(command.path);
    const beside = posix.join(posix.dirname(path), name);
    found.push(command.from === 'start' ? [posix.normalize(name), beside] : [beside]);
  }
  return found;
}

async function firstOf(
  names: readonly string[],
  schema: readonly SchemaPath[],
): Promise<SqlFile | undefined> {
  for (const name of names) {
    for (const { path, folder } of schema) {
      const found = resolve(folder, name);
      if (!(await isWithin(found, folder)) && !(await isWithin(found, path))) continue;
      const text = await readSqlText(found).catch(() => undefined);
      if (text !== undefined) return { path: name, text };
    }
  }
  return undefined;
}

/** Whether the file is inside the folder after all links are resolved. */
async function isWithin(path: string, folder: string): Promise<boolean> {
  const [file, root] = await Promise.all([path, folder].map((each) => realpath(each).catch(() => undefined)));
  if (file === undefined || root === undefined) return false;
  const way = relative(root, file);
  return way !== '' && !isAbsolute(way) && namesIn(readPath(way))[0] !== '..';
}

function reachedFrom(path: string, direct: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const reached = new Set<string>();
  const waiting = [...(direct.get(path) ?? [])];
  for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
    if (reached.has(each)) continue;
    reached.add(each);
    waiting.push(...(direct.get(each) ?? []));
  }
  return [...reached];
}
