/** The command `teardown`: removes the storage and the replication slots. */
import { openSource, openStorage } from '../assembly/openParts.ts';
import { openDeployer } from '../deployments/deployer.ts';
import { openSyncConfigs } from '../deployments/syncConfigs.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exitCodes.ts';

export const teardown: Command = {
  name: 'teardown',
  usage: 'TEARDOWN',
  summary: 'Drop the replication slots, and delete all stored data',
  run: async ({ settings, arguments: { words }, folder, world, terminal }) => {
    if (words[0] !== 'TEARDOWN')
      throw new ServiceError(
        'SVC_S0102',
        'This deletes everything that the service has stored: write `teardown TEARDOWN`.',
      );
    const { clock } = world;
    const storage = await openStorage(settings, world);
    const source = await openSource(settings, folder, world);
    try {
      const configs = openSyncConfigs(source.defaultSchema);
      const store = storage.deployments;
      const { tell } = openDeployer({
        store,
        configs,
        clock,
        namePrefix: '',
        onChange: () => {},
        defaultStorageVersion: settings.defaultStorageVersion,
      });
      for (const { id, state, deploymentName } of await store.all()) {
        if (state === 'terminated') continue;
        await tell({ kind: 'torn down', id });
        await source.dropBacklog(deploymentName);
        await storage.clear(id, new AbortController().signal);
        await tell({ kind: 'cleared', id });
        terminal.print(`${deploymentName} was deleted.`);
      }
      return exitCodes.done;
    } finally {
      await source.close();
      await storage.close();
    }
  },
};
