/** The storage in a PostgreSQL database, for several processes: one replicates, any number of them serve clients. */
import type { BatchLimits, PostgresServer } from '../../config/settings.ts';
import type { Log } from '../../ground/log.ts';
import type { World } from '../../ground/world.ts';
import { compactDeployment } from '../compactDeployment.ts';
import { servingOf } from '../deployment.ts';
import { checkpointOf } from '../deploymentRows.ts';
import { createNotices } from '../notices.ts';
import type { CompactionOptions, CompactionReport, Storage, StorageSizes } from '../storage.ts';
import { countBuckets } from './buckets.ts';
import { clearDeployment, clearExcept } from './clear.ts';
import { openCompactable } from './compact.ts';
import { type Database, openDatabase, storageFailureOf } from './database.ts';
import { openDeployments } from './deployments/deployments.ts';
import { type Lease, takeLease } from './lease.ts';
import { openMessages } from './messages.ts';
import { migrateLayout, requireMigrated } from './migrate.ts';
import { type ForgetfulReader, openReader } from './reader.ts';
import { countRows } from './rowCounts.ts';
import { schema } from './schema.ts';
import { openStored } from './stored.ts';
import { openWriteCheckpoints } from './writeCheckpoints.ts';
import { openWriter } from './writer/writer.ts';

export async function openPostgresStorage(
  server: PostgresServer & { readonly batch: BatchLimits },
  world: Pick<World, 'clock' | 'log'>,
  migrations: { readonly automatic: boolean } = { automatic: true },
): Promise<Storage> {
  const database = openDatabase(server, world);
  const notices = createNotices(world.log);
  // Signs of life use separate connections, so that they do not wait for the reads of clients.
  const signs = openDatabase({ ...server, maxPoolSize: 2 }, world);
  const messages = openMessages(server, world, notices, signs.run);
  const deployments = openDeployments(database, messages, world.clock);
  const writeCheckpoints = openWriteCheckpoints(database);
  const leases = new Set<Lease>();
  const readers = new Map<number, ForgetfulReader>();

  const reader = (deployment: number) => {
    const opened = readers.get(deployment) ?? openReader(database, deployment);
    readers.set(deployment, opened);
    return opened;
  };
  const tellServing = async () => {
    const serving = servingOf(await deployments.all());
    const checkpoint = serving && checkpointOf(serving);
    if (serving === undefined || checkpoint === undefined) return;
    const { id: deployment, revision } = serving;
    // The deployment may have become active while the link was lost.
    messages.tell({ deployment, checkpoint, activated: { revision } });
  };
  const { run } = database;
  const close = async () => {
    await Promise.all([...leases].map((lease) => lease.release().catch(() => undefined)));
    await messages.close();
    await Promise.all([database.close(), signs.close()]);
  };

  const prepare = async () => {
    await (migrations.automatic ? migrateLayout(database) : requireMigrated(database));
    await messages.listen(tellServing);
    await tellWithoutChecksums(database, world.log);
    const [{ id = '' } = {}] = await database.run<{ id: string }>(`SELECT id FROM ${schema}.instance`);
    return id;
  };
  const instanceId = await prepare().catch(async (error: unknown) => {
    await close();
    throw storageFailureOf(error, server);
  });

  return {
    instanceId,
    link: messages.link,
    deployments,
    writeCheckpoints,
    writer: async (deployment) => {
      const lease = await takeLease({ database, renew: signs.run }, deployment, world);
      if (lease === undefined) return undefined;
      leases.add(lease);
      const release = async () => {
        leases.delete(lease);
        await lease.release();
      };
      const forget = () => reader(deployment).forget();
      const parts = {
        database,
        deployments,
        messages,
        lease: { ...lease, release },
        limits: server.batch,
        onReset: forget,
      };
      try {
        return await openWriter(parts, deployment);
      } catch (error) {
        await release();
        throw error;
      }
    },
    reader,
    stored: (deployment) => openStored(database, deployment, server.batch),
    watch: notices.watch,
    compact: async (deployment, options) => {
      const requests = await writeCheckpoints.prune(options.now - options.requestRetention);
      const counts = await compactOps(database, deployment, await reader(deployment).checkpoint(), options);
      reader(deployment).forget();
      return { ...counts, requests };
    },
    clear: async (deployment, signal, rest) => {
      await clearDeployment({ run, rest, signal }, deployment, 'delete buckets');
      readers.delete(deployment);
    },
    clearParts: async (deployment, kept, signal, rest) => {
      await clearExcept({ run, rest, signal }, deployment, kept);
      reader(deployment).forget();
    },
    sizes: () => sizesOf(database),
    countBuckets: (deployment, most) => countBuckets(database, deployment, most),
    countRows: (deployment, most) => countRows(database, deployment, most),
    close,
  };
}

/** Warns about a server without page checksums. With them, rows need no checksums of their own. */
async function tellWithoutChecksums({ run }: Database, log: Log): Promise<void> {
  const [{ data_checksums: setting = '' } = {}] = await run<{ data_checksums: string }>(
    'SHOW data_checksums',
  );
  if (setting !== 'off') return;
  const message =
    'The storage server has no page checksums, so corruption by its disk is noticed only when stored data is compared with the source. To enable them, stop the server and run pg_checksums --enable';
  log.write('info', message);
}

function compactOps(
  database: Database,
  deployment: number,
  checkpoint: { readonly opId: number } | undefined,
  options: CompactionOptions,
): Promise<Omit<CompactionReport, 'requests'>> {
  if (checkpoint === undefined) return Promise.resolve({ moved: 0, cleared: 0, lookups: 0 });
  const store = openCompactable(database, deployment, checkpoint.opId);
  return compactDeployment(store, checkpoint.opId, options);
}

async function sizesOf({ run }: Database): Promise<StorageSizes> {
  const sizeOf = (table: string) => `pg_total_relation_size('${schema}.${table}')`;
  const [sizes] = await run<{ [part in keyof StorageSizes]: number }>(
    `SELECT ${sizeOf('current_rows')} AS current, ${sizeOf('ops')} AS operations, ${sizeOf('lookups')} AS lookups`,
  );
  return sizes ?? { current: 0, operations: 0, lookups: 0 };
}
