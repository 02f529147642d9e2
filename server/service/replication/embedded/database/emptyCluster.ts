/**
 * The empty database cluster of the package. Copying it takes a tenth of a second. `initdb` would create the same cluster, but
 * takes seconds of processor time.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { readEmptyCluster } from './clusterFile.ts';
import { newIdentifier, withIdentifier } from './clusterIdentifier.ts';

/** The file that marks a folder as a cluster. */
const versionFile = 'PG_VERSION';

export function hasCluster(folder: string): boolean {
  return existsSync(join(folder, versionFile));
}

/** Writes the version file last and atomically, so that an incomplete folder does not count as a cluster. */
export function createCluster(folder: string): void {
  const identifier = newIdentifier(Date.now(), randomBytes(4));
  const { folders, files } = readEmptyCluster();
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true });
  for (const { path, content } of files) {
    const place = join(folder, path);
    const draft = path === versionFile ? `${place}.new` : place;
    writeFileSync(draft, withIdentifier(path, content, identifier));
  }
  renameSync(join(folder, `${versionFile}.new`), join(folder, versionFile));
}

/** A file system in memory that initially contains the empty cluster. */
export class MemoryCluster extends MemoryFS {
  override async initialSyncFs(): Promise<void> {
    const { FS } = (this.pg as PGlite).Module;
    const { folders, files } = readEmptyCluster();
    const placeOf = (path: string) => `${PGlite.paths.PGDATA}/${path}`;
    for (const path of folders) FS.mkdirTree(placeOf(path));
    // The file system keeps the memory that it gets, so each file needs a copy.
    for (const { path, content } of files) FS.writeFile(placeOf(path), content.slice(), { canOwn: true });
  }
}
