import { command } from '../command.ts';
import { deployFile, readDeployable } from '../deployFile.ts';
import { waitOptions } from '../deployment.ts';
import { aboutToken, instanceOptions } from '../instance.ts';

export const deploy = command({
  name: 'deploy',
  summary: 'Hand a sync config to a service, and wait until it is active',
  about: `Checks a sync config, lets the service check it, deploys it, and waits until all of it is copied and active. What
served before goes on serving until then. If the service has the very same config already, nothing is done.

Exit code 0: active; 1: refused or failed; 2: not active in time, or the service cannot be asked.

${aboutToken}`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...instanceOptions,
    ...waitOptions,
    force: { alias: '-f', summary: 'Deploy although there are errors, or although nothing has changed' },
  },
  examples: ['deploy', 'deploy sync.yaml --service https://sync.example.com --timeout 600'],
  run: async (call) => deployFile(call, await readDeployable(call)),
});
