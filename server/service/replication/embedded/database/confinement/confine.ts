/**
 * Keeps SQL away from the programs of the machine and from the service's files in the folder of the database, whichever role
 * runs it and however its text was put together. JavaScript is out of reach because the process is started without
 * code generation from strings: Emscripten evaluates the JavaScript of any library that PostgreSQL loads.
 */
import type { PGlite } from '@electric-sql/pglite';
import { type EngineFiles, engineOf } from './engine.ts';

/** An option of V8. */
export const noCodeFromStrings = '--disallow-code-generation-from-strings';

export function confine(database: PGlite): void {
  // `popen` returns NULL, which PostgreSQL reports as an error. PGlite throws, which its main loop does not survive.
  database.handleExternalCmd = () => 0;
  hideOwnFiles(engineOf(database).FS);
}

/** Errors as WASI numbers them. */
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
  // Only tablespaces need links, which lead out of the folder.
  operations.symlink = () => {
    throw new ErrnoError(errors.notPermitted);
  };
}

/**
 * Whether PostgreSQL may have a file of this name. Its own consist of few characters; all others could mean another file
 * to the system, as `..\x`, `x:y` and `HEADWA~1` do on Windows.
 */
export function isOfDatabase(name: string): boolean {
  return /^[\w.-]*[\w-]$/.test(name) && !ofService.test(name);
}

/** The files that the service keeps in the folder: see `password.ts`, `resetOrder.ts` and `folderLock.ts`. */
const ofService = /^(?:headwater\.|lock\.sqlite|owner\.pid$)/i;
