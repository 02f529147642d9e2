/** A file of variables, as the service reads it in its working directory. */
import { readFileSync } from 'node:fs';
import { readVariables, type Variables } from '../../server/shared/envText.ts';

/** Returns no variables if there is no such file. */
export function readEnvFile(path: string | undefined): Variables {
  if (path === undefined) return {};
  try {
    return readVariables(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
