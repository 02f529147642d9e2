/** The parts of the API, except those that depend on who serves the clients. */
import manifest from '../../../package.json' with { type: 'json' };
import type { ApiParts } from '../api/parts.ts';
import { checkClientKeys } from '../http/auth/keyCheck.ts';
import type { Foundation } from './foundation.ts';
import { embeddedFolderOf } from './openParts.ts';
import type { Upkeep } from './upkeep.ts';

type OwnParts = 'jobs' | 'clients' | 'workers' | 'hasConsole' | 'signClientToken';

export function apiPartsOf(
  { settings, folder, storage, source, configs, deployer, world }: Foundation,
  { compactor, verifier, limitWatch, limits }: Upkeep,
): Omit<ApiParts, OwnParts> {
  const { deployments: store, countBuckets, countRows, link } = storage;
  const dataFolder = embeddedFolderOf(settings, folder);
  return {
    store,
    source,
    configs,
    deployer,
    compactor,
    verifier,
    clock: world.clock,
    countBuckets,
    countRows,
    ...(dataFolder !== undefined && { dataFolder }),
    ...(link && { link }),
    ...(settings.syncConfig && { configOrigin: settings.syncConfig.origin }),
    program: { name: 'Headwater', version: manifest.version },
    debugApi: settings.connection.debugApi,
    limits,
    checkClientKeys: () => checkClientKeys(settings.clientAuth),
    limitWarnings: limitWatch.warnings,
    storage,
  };
}
