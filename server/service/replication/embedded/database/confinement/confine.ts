/**
 * Keeps SQL away from the programs of the machine and from the service's files in the folder of the database, regardless of the
 * role that runs it. JavaScript is not reachable either: Emscripten evaluates the JavaScript of any library that PostgreSQL
 * loads, so the process is started without code generation from strings.
 */
import type { PGlite } from '@electric-sql/pglite';
import { type EngineFiles, engineOf } from './engine.ts';

/** The option of V8 that prevents code generation from strings. */
export const noCodeFromStrings = '--disallow-code-generation-from-strings';

export function confine(database: PGlite): void {
  // `popen` returns NULL, which PostgreSQL reports as an error. PGlite would throw, which the main loop does not survive.
  database.handleExternalCmd = () => 0;
  hideOwnFiles(engineOf(database).FS);
}

/** The error numbers of WASI. */
const errors = { notFound: 44, notPermitted: 63 } as const;

function hideOwnFiles({ ErrnoError, filesystems }: EngineFiles): void {
  const operations = filesystems.NODEFS.node_ops;
  const { lookup, mknod, rename } = operations;
  operations.lookup = (parent, name) => {
    if (!isOfDatabase(name)) throw new ErrnoError(errors.notFound);
    return lookup(parent, name);
  };
  operations.mknod = (parent, name, mode, device) => {
    if (!isOfDatabase(name)) throw new ErrnoError(errors.notPermitted);
    return mknod(parent, name, mode, device);
  };
  operations.rename = (node, parent, name) => {
    if (!isOfDatabase(name)) throw new ErrnoError(errors.notPermitted);
    rename(node, parent, name);
  };
  // Links are refused, because only tablespaces need them, and they point outside of the folder.
  operations.symlink = () => {
    throw new ErrnoError(errors.notPermitted);
  };
}

/**
 * Whether PostgreSQL may have a file of this name. Its own names consist of few characters. All other names could mean a
 * different file to the operating system, such as `..\x`, `x:y` and `HEADWA~1` on Windows.
 */
export function isOfDatabase(name: string): boolean {
  return /^[\w.-]*[\w-]$/.test(name) && !ofService.test(name);
}

/** The files of the service in the folder: see `password.ts`, `resetOrder.ts` and `folderLock.ts`. */
const ofService = /^(?:headwater\.|lock\.sqlite|owner\.pid$)/i;
