/** The SQL files of a project, as the config names them: what makes the tables of the embedded database. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { historiesIn } from '../../../engine/project/histories.ts';
import type { SchemaPath } from '../../config/settings.ts';
import { SourceFailure } from '../source.ts';
import type { HashedScript } from './database/protocol.ts';

/** In the order in which they are run. */
export async function readProjectScripts(schema: readonly SchemaPath[]): Promise<readonly HashedScript[]> {
  const scripts: HashedScript[] = [];
  for (const each of schema) scripts.push(...(await readPath(each)));
  return scripts;
}

async function readPath({ path, name }: SchemaPath): Promise<readonly HashedScript[]> {
  try {
    if (!(await stat(path)).isDirectory())
      return inOrder([{ path: name, text: await readFile(path, 'utf8') }]);
    const found = await filesIn(path);
    if (found.length === 0) throw failure(`${name} contains no .sql file.`);
    return inOrder(
      await Promise.all(
        found.map(async (each) => ({
          path: posix.join(name, each),
          text: await readFile(join(path, each), 'utf8'),
        })),
      ),
    );
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw failure(
      isMissing ? `${name} does not exist.` : `${name} cannot be read: ${(error as Error).message}`,
    );
  }
}

/** Paths from the folder, with `/`. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.sql$/i.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

interface File {
  readonly path: string;
  readonly text: string;
}

/** A file that is named by itself is run whatever it is called. */
function inOrder(files: readonly File[]): readonly HashedScript[] {
  const read = files.map(({ path, text }) => ({ path, text: text.replace(/^\ufeff/, '') }));
  const [only] = read;
  const histories = historiesIn(read);
  const ordered = histories.flatMap((history) => history.files);
  return (ordered.length === 0 && only && read.length === 1 ? [only] : ordered).map(({ path, text }) => ({
    name: path,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
  }));
}

function failure(message: string): SourceFailure {
  return new SourceFailure('settings', 'SVC_S1101', `The schema cannot be loaded: ${message}`);
}
