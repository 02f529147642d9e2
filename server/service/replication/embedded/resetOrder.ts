/**
 * Recreates an embedded database in two steps, so that it is never half empty: an order is written into its folder, and the next
 * process that opens the folder carries the order out. A database whose first start was interrupted is also recreated.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../../shared/files.ts';
import { lockFolder, lockNames } from '../../ground/folderLock.ts';
import type { LogPosition } from '../../ground/logPosition.ts';
import type { ResetOptions } from '../source.ts';
import { lockPatience } from './database/lock.ts';
import { passwordFile } from './password.ts';

export interface ResetOrder {
  readonly rows: ResetOptions['rows'];
  /** The position after which the log of the new database begins. */
  readonly position: LogPosition;
}

const orderFile = 'headwater.reset';

/** The name of a file that exists while a database is being created. If it still exists later, the database is created again. */
const makingFile = 'headwater.making';

/** The files of the service in the folder. */
export const serviceFiles: readonly string[] = [passwordFile, orderFile, makingFile, ...lockNames];

export async function orderReset(folder: string, order: ResetOrder): Promise<void> {
  const file = join(folder, orderFile);
  await replaceFile(file, JSON.stringify(order), { draft: `${file}.new`, mode: 0o600 });
}

interface ReadyFolder {
  /** The order to carry out. */
  readonly order: ResetOrder | undefined;
  /** Whether a new database must be created in the folder. */
  readonly isNew: boolean;
}

/** Empties the folder if a new database must be created in it. No process may be using the folder. */
export async function prepareFolder(folder: string): Promise<ReadyFolder> {
  const seen = await lookAt(folder);
  if (!seen.isNew) return seen;
  const release = lockFolder(folder, lockPatience);
  try {
    // The process that used the folder may have completed a database meanwhile.
    const found = await lookAt(folder);
    if (!found.isNew) return found;
    await emptyFolder(folder);
    await writeFile(join(folder, makingFile), '', { mode: 0o600 });
    return found;
  } finally {
    release();
  }
}

async function lookAt(folder: string): Promise<ReadyFolder> {
  const order = await readResetOrder(folder);
  const names = await namesIn(folder);
  const isWhole = names.includes('PG_VERSION') && !names.includes(makingFile);
  return { order, isNew: order !== undefined || !isWhole };
}

async function readResetOrder(folder: string): Promise<ResetOrder | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, orderFile), 'utf8')) as ResetOrder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes the database's own files, if a new database was ordered or begun in the folder. */
async function emptyFolder(folder: string): Promise<void> {
  const names = await namesIn(folder);
  if (!names.includes(orderFile) && !names.includes(makingFile)) return;
  for (const name of names)
    if (!serviceFiles.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export async function finishMaking(folder: string): Promise<void> {
  await rm(join(folder, makingFile), { force: true });
}

export async function fulfilReset(folder: string): Promise<void> {
  await rm(join(folder, orderFile), { force: true });
}
