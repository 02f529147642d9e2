/** Deploys the sync config that the service config names when the service starts, unless it is deployed already. */
import { readFile } from 'node:fs/promises';
import type { SyncConfigSettings } from '../config/settings.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import type { Deployer } from './deployer.ts';

/**
 * Returns the deployed content, or undefined if it cannot be read and the service should continue with the active config. Content
 * with errors is stored, so that the errors are shown, but it is never replicated.
 */
export async function deployAtStart(
  settings: SyncConfigSettings,
  deployer: Deployer,
  log: Log,
): Promise<string | undefined> {
  let content: string | undefined;
  try {
    content = await contentOf(settings);
    await deployer.configure(content);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = `${settings.origin} cannot be deployed. ${error.message}`;
    if (settings.exitOnError) throw new ServiceError(error.code, message, { cause: error });
    log.write('error', message, { code: error.code });
    if (content !== undefined) await deployer.configureInvalid(content);
  }
  return content;
}

export async function contentOf({ from }: SyncConfigSettings): Promise<string> {
  if ('content' in from) return from.content;
  try {
    return await readFile(from.path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'The file does not exist.' : `The file cannot be read (${code}).`;
    throw new ServiceError('SVC_S3201', reason, { cause: error });
  }
}
