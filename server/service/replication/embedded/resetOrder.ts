/**
 * An embedded database is made anew in two steps, so that none is left half empty: the order is written into its folder,
 * and whoever opens the folder fulfils it. A database whose first start was interrupted is made anew as well.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../../files.ts';
import { lockFolder, lockNames } from '../../ground/folderLock.ts';
import type { Lsn } from '../../ground/lsn.ts';
import type { ResetOptions } from '../source.ts';
import { lockPatience } from './database/lock.ts';
import { passwordFile } from './password.ts';

export interface ResetOrder {
  readonly rows: ResetOptions['rows'];
  /** After which the log of the new database begins. */
  readonly position: Lsn;
}

const orderFile = 'headwater.reset';

/** It is there while a database is being made: one that was interrupted is made anew. */
const makingFile = 'headwater.making';

export async function orderReset(folder: string, order: ResetOrder): Promise<void> {
  const file = join(folder, orderFile);
  await replaceFile(file, JSON.stringify(order), { draft: `${file}.new`, mode: 0o600 });
}

export async function readResetOrder(folder: string): Promise<ResetOrder | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, orderFile), 'utf8')) as ResetOrder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Of the database's own files. No process may have it open. */
export async function emptyFolder(folder: string): Promise<void> {
  const kept = new Set<string>([passwordFile, orderFile, makingFile, ...lockNames]);
  const release = lockFolder(folder, lockPatience);
  try {
    for (const name of await readdir(folder))
      if (!kept.has(name)) await rm(join(folder, name), { recursive: true, force: true });
  } finally {
    release();
  }
}

/** `none`: no database was ever made in this folder. */
export async function folderContent(folder: string): Promise<'none' | 'unfinished' | 'whole'> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes(makingFile)) return 'unfinished';
  return names.includes('PG_VERSION') ? 'whole' : 'none';
}

export async function beginMaking(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, makingFile), '', { mode: 0o600 });
}

export async function finishMaking(folder: string): Promise<void> {
  await rm(join(folder, makingFile), { force: true });
}

export async function fulfilReset(folder: string): Promise<void> {
  await rm(join(folder, orderFile), { force: true });
}
