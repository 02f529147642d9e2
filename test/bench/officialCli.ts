/** The official command line, as a process and from outside: what it takes to validate a sync config with it. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCached } from '../../scripts/rigs/cache.ts';
import { installPackage } from '../../scripts/rigs/install.ts';

export const officialVersion = '0.10.0';

/** Lets it validate a file of a project; throws unless it finds it valid. */
export type OfficialCli = (
  project: string,
  file: string,
  service: { readonly url: string; readonly token: string },
) => void;

/** Into the cache, unless it is there. */
export async function installOfficialCli(): Promise<OfficialCli> {
  const folder = await ensureCached(`powersync-cli-${officialVersion}`, async (directory) => {
    writeFileSync(join(directory, 'package.json'), '{"private":true}\n');
    await installPackage(`powersync@${officialVersion}`, directory);
  });
  const program = join(folder, 'node_modules/powersync/bin/run.js');
  return (project, file, { url, token }) => {
    // Nothing but what is compared: neither the service config nor a connection.
    const args = ['validate', '--validate-only', 'sync-config', '--sync-config-file-path', file];
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: folder, API_URL: url, PS_ADMIN_TOKEN: token },
      encoding: 'utf8',
      timeout: 120_000,
    });
    if (status !== 0) throw new Error(`powersync validate ends with ${status}:\n${stdout}${stderr}`);
  };
}
