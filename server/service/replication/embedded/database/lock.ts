/** Two processes in one data folder destroy it: only one may have it. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** In milliseconds. The process of a service that was killed needs a moment to notice. */
const PATIENCE = 10_000;
const PAUSE = 50;

export async function lockFolder(folder: string, patience = PATIENCE): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'headwater.lock');
  for (let waited = 0; ; waited += PAUSE) {
    if (await take(file)) return;
    const holder = await holderOf(file);
    if (holder === undefined || !isAlive(holder)) await rm(file, { force: true });
    else if (waited >= patience) throw new Error(`The database in ${folder} is in use by process ${holder}.`);
    else await sleep(PAUSE);
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined when the file says nothing of use: its writer was killed while writing. */
async function holderOf(file: string): Promise<number | undefined> {
  const pid = Number(await readFile(file, 'utf8').catch(() => ''));
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
