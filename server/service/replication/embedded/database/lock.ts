/** Two processes in one data folder destroy it: only one may have it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../../../ground/folderLock.ts';

/** In milliseconds. The process of a service that was killed needs a moment to notice. */
export const lockPatience = 10_000;

export function lockDatabase(folder: string, patience = lockPatience): void {
  lockFolder(folder, patience);
  // By a process number, of earlier versions.
  rmSync(join(folder, 'headwater.lock'), { force: true });
}
