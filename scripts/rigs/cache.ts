/** A folder outside the repository where large downloads are kept for later runs and other clones. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { patient } from '../run/patience.ts';

export function cacheRoot(env: NodeJS.ProcessEnv = process.env): string {
  return env.HEADWATER_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'headwater');
}

/**
 * Returns the folder `name` of the cache, and calls `fill` to create it if it is missing. The name contains a version, because a
 * complete folder is never changed. It is filled under another name and then renamed, so an incomplete folder never has the final
 * name. The lock only prevents parallel runs from doing the work twice.
 */
export async function ensureCached(
  name: string,
  fill: (directory: string) => Promise<void>,
  { root = cacheRoot(), lockTimeoutMs = patient(600_000) } = {},
): Promise<string> {
  const directory = join(root, name);
  if (existsSync(directory)) return directory;
  mkdirSync(root, { recursive: true });
  const release = await lock(`${directory}.lock`, lockTimeoutMs);
  const temporary = mkdtempSync(join(root, `${name}.part-`));
  const discard = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  // An interruption runs this listener instead of `finally`.
  process.once('exit', discard);
  try {
    if (!existsSync(directory)) {
      await fill(temporary);
      renameSync(temporary, directory);
    }
  } finally {
    process.off('exit', discard);
    discard();
    release();
  }
  return directory;
}

/** Waits until this process holds `file`, which contains its process id. Returns the function that releases it. */
async function lock(file: string, timeoutMs: number): Promise<() => void> {
  const end = performance.now() + timeoutMs;
  while (!takeLock(file)) {
    if (holderIsGone(file)) rmSync(file, { force: true });
    else if (performance.now() > end) {
      throw new Error(
        `Another run holds ${file} for more than ${timeoutMs / 1000} s. Delete it if none runs.`,
      );
    } else await sleep(200);
  }
  const release = () => {
    process.off('exit', release);
    rmSync(file, { force: true });
  };
  process.once('exit', release);
  return release;
}

function takeLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function holderIsGone(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
