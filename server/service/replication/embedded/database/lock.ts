/** Two processes in one data folder destroy it: only one may have it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../../../ground/folderLock.ts';

/** The time to wait for a lock in milliseconds, during which the process does nothing else. */
export const lockPatience = 10_000;
/**
 * The time in milliseconds for the database of a service that was killed to notice that and to end. On a busy machine, it may
 * have no turn for many seconds, or be starting still.
 */
export const endPatience = 60_000;

export function lockDatabase(folder: string, patience = lockPatience): void {
  lockFolder(folder, patience);
  // Earlier versions locked by a process number.
  rmSync(join(folder, 'headwater.lock'), { force: true });
}
