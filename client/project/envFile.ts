/** A file of variables, as the service reads it in its working directory. */
import { readFileSync } from 'node:fs';
import * as util from 'node:util';

/** Without a file, nothing. Neither in editors whose Node cannot read one: before 20.12. */
export function readEnvFile(path: string | undefined): Readonly<Record<string, string | undefined>> {
  if (path === undefined || typeof util.parseEnv !== 'function') return {};
  try {
    return util.parseEnv(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
