/**
 * The password of the embedded database, if the service config contains none. It is generated once and stored in a file that only
 * this user can read.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of a file in the folder of the database. The command line and `npm start` read the password from it. */
export const passwordFile = 'headwater.password';

/** The length of the password, in bytes. */
const passwordLength = 24;

export async function keptPassword(folder: string): Promise<string> {
  const file = join(folder, passwordFile);
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(file, randomBytes(passwordLength).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const password = (await readFile(file, 'utf8')).trim();
  if (password !== '') return password;
  // The file is empty, because its writer was killed while writing, or the disk was full.
  await writeFile(file, randomBytes(passwordLength).toString('base64url'), { mode: 0o600 });
  return keptPassword(folder);
}
