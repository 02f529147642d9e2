/**
 * A secret that only processes of this user know, for pipes of Windows: any user may create a pipe of any name, and Node does
 * not report its owner. It is in a file in the user's own folder for settings.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { replaceFile } from '../../../server/shared/files.ts';
import { disk } from './disk.ts';
import { settingsFolder } from './grants.ts';

/** The length of the secret and of proofs, in bytes. */
const length = 32;
const whole = new RegExp(`^[0-9a-f]{${2 * length}}$`);

/** Milliseconds between attempts to read a file that another process is writing. */
const pauses = [10, 20, 50, 100, 200];

/**
 * Returns the secret that all processes of the user share. The first process creates it. Undefined if the file cannot be written.
 *
 * @param env only the variables of the process, because an `.env` of the working directory must not choose the place of the file
 */
export async function pipeSecret(
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const path = join(settingsFolder(env), 'headwater', 'pipe.key');
  const made = randomBytes(length).toString('hex');
  try {
    await disk.makeFolder(dirname(path), 'owner');
    for (const pause of pauses) {
      await disk.create(path, made, 'owner');
      const found = await readFile(path, 'utf8');
      if (whole.test(found)) return found;
      await sleep(pause);
    }
    // The process that created the file ended before it had written the secret.
    await replaceFile(path, made, { draft: `${path}.${process.pid}`, mode: 0o600 });
    return made;
  } catch {
    return undefined;
  }
}

/** Returns a proof that cannot be made without the secret, and that reveals nothing about the secret. */
export function prove(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** Returns a random question that has never been used before. */
export function newQuestion(): string {
  return randomBytes(length).toString('hex');
}
