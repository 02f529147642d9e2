/** Reads the names of variables from `.env*` files and from the process. Values are never kept. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readVariables } from '../../shared/envText.ts';
import { pathOfUri, type Uri } from '../../shared/uri.ts';
import type { Host } from './host.ts';

/** The maximum number of parent folders to search. A config is rarely further below its `.env` file. */
const mostFolders = 8;
/** The maximum size of an `.env` file in bytes. A larger file is not a real `.env` file. */
const largest = 256 * 1024;

/** Searches the folder of the config and its parent folders, up to the root of the repository. */
export function environmentNamesFrom(
  process: Readonly<Record<string, string | undefined>>,
): Host['environmentNames'] {
  return (uri) => {
    const names = new Set<string>();
    for (const folder of foldersAbove(uri)) for (const name of namesInFolder(folder)) names.add(name);
    for (const name of Object.keys(process)) names.add(name);
    return [...names];
  };
}

function foldersAbove(uri: Uri): readonly string[] {
  const path = pathOfUri(uri);
  if (path === undefined) return [];
  const folders: string[] = [];
  for (let folder = dirname(path); folders.length < mostFolders; folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder || entriesOf(folder).includes('.git')) break;
  }
  return folders;
}

function namesInFolder(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((name) => /^\.env(?:\.|$)/.test(name))
    .flatMap((name) => Object.keys(readVariables(readText(join(folder, name)))))
    .filter((name) => /^\w+$/.test(name));
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Reads a regular file. Some tools make `.env` a pipe, and reading a pipe would block. */
function readText(path: string): string {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= largest ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
