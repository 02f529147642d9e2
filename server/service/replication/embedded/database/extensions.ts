/**
 * Installs extensions of the database. The files of an extension are installed when a statement first names it, or if the
 * database already used it before. Most databases need no extension, and `pgcrypto` alone would make a start 0.15 s longer.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { type ExtensionArchive, extensionArchives } from './extensionArchives.ts';
import { filesIn } from './tar.ts';

export interface Extensions {
  /** Installs the extensions that the SQL names. Call it before running the SQL. */
  prepareFor(sql: string): Promise<void>;
}

export async function openExtensions(database: PGlite): Promise<Extensions> {
  const missing = new Set(extensionArchives);
  const bring = async (archive: ExtensionArchive): Promise<void> => {
    missing.delete(archive);
    const bytesOfAll = await promisify(gunzip)(await readFile(pathOf(archive)));
    const { FS } = database.Module;
    for (const { path, bytes } of filesIn(bytesOfAll)) {
      const place = posix.join(postgres, path);
      FS.mkdirTree(posix.dirname(place));
      FS.writeFile(place, path.endsWith('.control') ? asTrusted(bytes) : bytes);
    }
  };
  const bringAll = async (isNamed: (extension: string) => boolean): Promise<void> => {
    for (const archive of [...missing]) if (archive.extensions.some(isNamed)) await bring(archive);
  };
  const { rows } = await database.query<{ extname: string }>('SELECT extname FROM pg_extension');
  const installed = new Set(rows.map(({ extname }) => extname));
  await bringAll((extension) => installed.has(extension));
  return {
    async prepareFor(sql) {
      if (missing.size === 0 || !/\bcreate\s+extension\b/i.test(sql)) return;
      const text = sql.toLowerCase();
      await bringAll((extension) => text.includes(extension));
    },
  };
}

/**
 * Allows every role that may create objects in the database to create the extension, because all extensions in our package are
 * harmless.
 */
function asTrusted(control: Uint8Array): Uint8Array {
  return Buffer.concat([control, Buffer.from('\ntrusted = true\n')]);
}

/** The path of the installation in the database's own file system. */
const postgres = '/pglite';

/** Returns the path of an archive: next to the bundle of the database, or in the installed package. */
function pathOf({ name, package: owner }: ExtensionArchive): string {
  const bundled = join(import.meta.dirname, 'pglite', `${name}.tar.gz`);
  if (existsSync(bundled)) return bundled;
  return join(import.meta.dirname, '../../../../../node_modules', owner, 'dist', `${name}.tar.gz`);
}
