/**
 * Compares the histories of source and storage before clients connect, because stored rows may be older than those that
 * clients have.
 */
import type { Deployer } from '../deployments/deployer.ts';
import type { World } from '../ground/world.ts';
import { checkHistory } from '../replication/jobs/history.ts';
import { type Source, SourceFailure } from '../replication/source.ts';
import { isServing } from '../storage/deployment.ts';
import type { Storage } from '../storage/storage.ts';

interface ComparedParts {
  readonly storage: Pick<Storage, 'deployments'>;
  readonly source: Source;
  readonly deployer: Pick<Deployer, 'tell'>;
  readonly world: Pick<World, 'clock' | 'log'>;
}

/**
 * How long clients wait for the comparison, in milliseconds. A PostgreSQL server that does not answer within this time must not
 * keep the service from starting. The embedded database belongs to the service and starts with it, which takes minutes on a very
 * busy machine. It always answers, unless it has failed.
 */
const longestMs = { postgresql: 10_000, embedded: 300_000 } as const;

/**
 * Compares the histories of all serving deployments and of the pending one. The pending one is included because it may have
 * become active after the storage was copied, and may have served clients since.
 */
export async function compareHistories({
  storage: { deployments },
  source,
  deployer,
  world: { clock, log },
}: ComparedParts): Promise<void> {
  const over = new AbortController();
  const compare = async (): Promise<void> => {
    for (const record of await deployments.all()) {
      const { state, base } = record;
      if (!isServing(state) && (state !== 'processing' || base !== undefined)) continue;
      const failure = await checkHistory(source, deployments, record).catch(asOutdated);
      if (failure === undefined) continue;
      log.write('error', failure.message, { deployment: record.id, slot: record.deploymentName });
      const error = { message: failure.message, at: clock.now() };
      await deployer.tell({ kind: 'storage outdated', id: record.id, error });
      return;
    }
  };
  const compared = compare().finally(() => over.abort());
  await Promise.race([compared, clock.sleep(longestMs[source.type], over.signal)]);
  compared.catch((error: unknown) =>
    log.write('warn', 'Could not compare the stored data with the source', { error: String(error) }),
  );
}

/** Returns undefined for every other failure, because the job will report it. */
function asOutdated(error: unknown): SourceFailure | undefined {
  return error instanceof SourceFailure && error.kind === 'storage-outdated' ? error : undefined;
}
