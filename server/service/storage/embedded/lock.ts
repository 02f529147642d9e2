/**
 * One process per data folder. The operating system holds the lock (through a database of nothing), so that it ends
 * with the process however that ends, and no number of a dead process can be taken for a living one's.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageFailure } from '../failure.ts';

/** Milliseconds to wait for a process that is just ending. */
const patience = 500;

/** Returns what releases it. */
export function lockFolder(folder: string): () => void {
  const owner = join(folder, 'owner.pid');
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: patience });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new StorageFailure('in-use', `${folder} is in use by ${ownerIn(owner)}. Stop it first.`, {
      cause: error,
    });
  }
  writeFileSync(owner, `${process.pid}\n`);
  return () => {
    rmSync(owner, { force: true });
    lock.close();
  };
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
