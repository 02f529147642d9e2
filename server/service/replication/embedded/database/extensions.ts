/**
 * Extensions that the database can be given: their files come to where Postgres looks for them when a statement first
 * names them, or when they are there already. Most databases need none, and `pgcrypto` alone costs 0.15 s of a start.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { extensionNames } from './extensionNames.ts';
import { filesIn } from './tar.ts';

export interface Extensions {
  /** Before the statements of the text are run. */
  prepareFor(sql: string): Promise<void>;
}

export async function openExtensions(database: PGlite): Promise<Extensions> {
  const missing = new Set(extensionNames);
  const bring = async (name: string): Promise<void> => {
    if (!missing.delete(name)) return;
    const archive = await promisify(gunzip)(await readFile(archiveOf(name)));
    const { FS } = database.Module;
    for (const { path, bytes } of filesIn(archive)) {
      const place = posix.join(POSTGRES, path);
      FS.mkdirTree(posix.dirname(place));
      FS.writeFile(place, bytes);
    }
  };
  const { rows } = await database.query<{ extname: string }>('SELECT extname FROM pg_extension');
  for (const { extname } of rows) await bring(extname);
  return {
    async prepareFor(sql) {
      if (missing.size === 0 || !/\bcreate\s+extension\b/i.test(sql)) return;
      const named = [...missing].filter((name) => sql.toLowerCase().includes(name));
      for (const name of named) await bring(name);
    },
  };
}

/** Where the database's own file system has its installation. */
const POSTGRES = '/pglite';

/** Beside the bundle of the database, or where the package is installed. */
function archiveOf(name: string): string {
  const bundled = join(import.meta.dirname, 'pglite', `${name}.tar.gz`);
  if (existsSync(bundled)) return bundled;
  const installed = join(import.meta.dirname, '../../../../../node_modules/@electric-sql/pglite/dist');
  return join(installed, `${name}.tar.gz`);
}
