/** Locks the data folder for one process, because two processes would destroy it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../../../ground/folderLock.ts';

/** The time to wait for a lock in milliseconds. The process is blocked meanwhile. */
export const lockPatience = 10_000;
/**
 * The time in milliseconds that the database may need to end after its service was killed. On a busy machine, its process may not
 * run for many seconds, or may still be starting.
 */
export const endPatience = 60_000;

export function lockDatabase(folder: string, patience = lockPatience): void {
  lockFolder(folder, patience);
  // The lock of earlier versions, which contained a process id.
  rmSync(join(folder, 'headwater.lock'), { force: true });
}
