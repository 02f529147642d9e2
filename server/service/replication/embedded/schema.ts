/** The user's SQL files, run once in a database that is still empty. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { positionsIn } from '../../../engine/index.ts';
import { SourceFailure } from '../source.ts';
import { StatementFailure } from './child.ts';

/** All of it or nothing; a failure names the file and the place in it. */
export async function loadSchema(
  path: string,
  execute: (sql: string) => Promise<unknown>,
  after: string,
): Promise<void> {
  const files = await readFiles(path);
  const whole = [...files.map(({ text }) => text), after].join(SEPARATOR);
  try {
    await execute(whole);
  } catch (error) {
    throw error instanceof StatementFailure ? placed(error, files) : error;
  }
}

/** Ends a statement that a file left open, and a comment at its end. */
const SEPARATOR = '\n;\n';

interface SqlFile {
  readonly path: string;
  readonly text: string;
}

async function readFiles(path: string): Promise<readonly SqlFile[]> {
  try {
    const paths = (await stat(path)).isDirectory() ? await sqlFilesIn(path) : [path];
    if (paths.length === 0) throw failure(`There is no .sql file in ${path}.`);
    return await Promise.all(paths.map(async (each) => ({ path: each, text: await readFile(each, 'utf8') })));
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw failure(
      missing ? `The schema ${path} does not exist.` : `The schema ${path} cannot be read: ${String(error)}`,
    );
  }
}

/** In the order of their names, folders within as well: that is how migrations are numbered. */
async function sqlFilesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && /\.sql$/i.test(entry.name) && !/\bdown\.sql$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Postgres counts characters from 1, not UTF-16 units. */
function placed({ message, position }: StatementFailure, files: readonly SqlFile[]): SourceFailure {
  if (position === undefined) return failure(`The schema cannot be loaded: ${message}`);
  let left = position - 1;
  for (const { path, text } of files) {
    const letters = [...text];
    if (left < letters.length) {
      const { line, character } = positionsIn(text)(letters.slice(0, left).join('').length);
      return failure(`${path}:${line + 1}:${character + 1}: ${message}`);
    }
    left -= letters.length + SEPARATOR.length;
  }
  return failure(`The schema cannot be loaded: ${message}`);
}

function failure(message: string): SourceFailure {
  return new SourceFailure('settings', 'SVC_S1101', message);
}
