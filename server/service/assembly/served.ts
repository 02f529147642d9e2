/** Finds the config with which clients are served. */
import { situationOf } from '../deployments/lifecycle.ts';
import type { SyncConfigs } from '../deployments/syncConfigs.ts';
import { ServiceError } from '../ground/errors.ts';
import type { ServingStorage } from '../storage/storage.ts';
import type { SyncDeps } from '../sync/sync.ts';

export function openServed(
  { link, deployments }: Pick<ServingStorage, 'link' | 'deployments'>,
  configs: Pick<SyncConfigs, 'of'>,
): SyncDeps['served'] {
  return async () => {
    // A process that cannot know whether clients are up to date must not tell them that they are.
    if (link?.isLost()) throw new ServiceError('SVC_S2402', lost);
    const { serving, pending } = situationOf(await deployments.all());
    if (serving === undefined) {
      if (pending?.reason !== undefined) throw new ServiceError('SVC_S2302', copiedAgain);
      return undefined;
    }
    const { plans, evaluator } = configs.of(serving);
    return { deployment: serving.id, revision: serving.revision, plans, evaluator };
  };
}

const copiedAgain =
  'Everything is being copied again from the source. Try again shortly; the diagnostics say why.';

const lost =
  'This process receives nothing from its storage, so it may miss changes. It serves no clients until the storage responds.';
