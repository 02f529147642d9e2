/**
 * Allows only one process per folder. The operating system holds the lock (on an empty database), so it ends with the process in
 * any case. A lock file with a process id could be mistaken for that of another running process.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from './world.ts';

/** The names of the lock files in the protected folder. The second one only names the owner of the lock. */
export const lockNames = ['lock.sqlite', 'owner.pid'] as const;

/** The message names the process that uses the folder, and what to do. */
export class FolderInUse extends Error {}

/**
 * Locks the folder, which is created if it does not exist.
 *
 * @param patience milliseconds to wait, blocking, for a process that is just ending
 * @returns the function that releases the lock
 */
export function lockFolder(folder: string, patience: number): () => void {
  mkdirSync(folder, { recursive: true });
  const [file, owner] = lockNames.map((name) => join(folder, name)) as [string, string];
  const lock = new DatabaseSync(file, { timeout: patience });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new FolderInUse(
      `${folder} is in use by ${ownerIn(owner)}. Stop the service that runs there, or choose another folder: storage.path.`,
      { cause: error },
    );
  }
  held.add(lock);
  writeFileSync(owner, `${process.pid}\n`);
  return () => {
    held.delete(lock);
    rmSync(owner, { force: true });
    lock.close();
  };
}

/** The held locks. The garbage collector would close a database without references, which would release its lock. */
const held = new Set<DatabaseSync>();

/** The pause between two attempts in milliseconds. */
const pause = 50;

/** The wait in milliseconds after which the reason for waiting is reported. */
const silentWait = 2_000;

/**
 * Resolves when no process uses the folder. Fails with {@link FolderInUse} after this many milliseconds.
 *
 * @param onWait called once with the owner of the folder, if the wait is long
 */
export async function waitForFolder(
  folder: string,
  patience: number,
  clock: Clock,
  onWait: (owner: string) => void = () => {},
): Promise<void> {
  if (!existsSync(folder)) return;
  for (let waited = 0; ; waited += pause) {
    try {
      lockFolder(folder, 0)();
      return;
    } catch (error) {
      if (!(error instanceof FolderInUse) || waited >= patience) throw error;
      if (waited === silentWait) onWait(ownerIn(join(folder, lockNames[1])));
    }
    await clock.sleep(pause);
  }
}

function ownerIn(file: string): string {
  try {
    return `process ${Number.parseInt(readFileSync(file, 'utf8'), 10)}`;
  } catch {
    return 'another process';
  }
}

function isBusy(error: unknown): boolean {
  const busy = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}
