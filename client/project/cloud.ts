/**
 * PowerSync's own command line, which deploys to PowerSync Cloud. Headwater reviews the config, and leaves the sign-in and the
 * deploy to that program, so Headwater never has a token for the cloud.
 */

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const officialProgram = 'powersync';

/** The command that installs that program for a project. */
export const officialInstallation = 'npm install --save-dev powersync';

/** The folder in which npm puts the programs of a project. */
export const projectPrograms = 'node_modules/.bin';

/** The file into which `powersync pull instance` writes the deployed sync config if a sync config already exists. */
export const fetchedName = 'sync-fetched.yaml';

interface CloudDeploy {
  /** The folder that contains `cli.yaml`. */
  readonly directory: string;
  /** The file of the sync config. */
  readonly config: string;
  /** The time in seconds that the program waits until the config is deployed; absent: its own default. */
  readonly seconds?: number | undefined;
}

/** Returns the arguments of that program. */
export function cloudDeployArguments({ directory, config, seconds }: CloudDeploy): readonly string[] {
  return [
    'deploy',
    'sync-config',
    ...['--directory', directory, '--sync-config-file-path', config],
    ...(seconds === undefined ? [] : ['--deploy-timeout', String(seconds)]),
  ];
}

/** Returns the path of the program in a project, otherwise of the user's program. Undefined if neither is installed. */
export function findOfficialProgram(folder: string, { PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const name = process.platform === 'win32' ? `${officialProgram}.cmd` : officialProgram;
  const folders = [join(folder, projectPrograms), ...PATH.split(delimiter)];
  return folders.map((each) => join(each, name)).find((path) => existsSync(path));
}
