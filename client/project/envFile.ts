/** Reads a file of variables in the same way as the service. */
import { readFileSync } from 'node:fs';
import { readVariables, type Variables } from '../../server/shared/envText.ts';

/** Reads the variables. Returns none if there is no such file. */
export function readEnvFile(path: string | undefined): Variables {
  if (path === undefined) return {};
  try {
    return readVariables(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
