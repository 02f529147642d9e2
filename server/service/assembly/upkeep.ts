/** Opens the parts that take care of the data while clients are served: compaction, verification, and counting for clients. */
import { type LimitWatch, openLimitWatch } from '../api/limits/limitWatch.ts';
import type { ApiParts } from '../api/parts.ts';
import type { Replicator } from '../replication/jobs/replicator.ts';
import { type Compactor, openCompactor } from '../storage/compactor.ts';
import { openVerifier, type Verifier } from '../verification/verifier.ts';
import type { OpenParts } from './closeInOrder.ts';
import type { Foundation } from './foundation.ts';

export interface Upkeep {
  readonly compactor: Compactor;
  readonly verifier: Verifier;
  readonly limitWatch: LimitWatch;
  readonly limits: ApiParts['limits'];
}

/** @param replicator absent if another process replicates */
export function openUpkeep(
  { settings, storage, source, configs, deployer, metrics, world }: Foundation,
  replicator: Replicator | undefined,
  opened: OpenParts,
): Upkeep {
  const { clock, log } = world;
  const { deployments: store, countRows } = storage;
  const compactor = openCompactor({
    storage,
    clock,
    log,
    requestRetentionMinutes: settings.api.checkpointRequestRetentionMinutes,
  });
  opened.add('compaction', compactor.close);
  const verifier = openVerifier({
    storage,
    store,
    source,
    configs,
    deployer,
    clock,
    log,
    share: settings.verification.share,
    send: replicator?.send ?? (async () => false),
    onVerified: ({ missing, stale, extra }) => {
      metrics.add('headwater_tables_verified_total', 1);
      metrics.add('headwater_wrong_rows_total', missing + stale + extra);
    },
  });
  opened.add('verification', verifier.close);
  const limits = {
    buckets: settings.api.maxBucketsPerConnection,
    results: settings.api.maxParameterQueryResults,
  };
  const limitWatch = openLimitWatch({ store, configs, storage, countRows, limits, clock, log, metrics });
  return { compactor, verifier, limitWatch, limits };
}
