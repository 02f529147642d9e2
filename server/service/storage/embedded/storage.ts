/** The storage in one folder, for one process, with the SQLite that Node includes. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { namesBesideData } from '../../../shared/files.ts';
import { openTurns } from '../../../shared/turns.ts';
import { lockNames } from '../../ground/folderLock.ts';
import { makePrivate } from '../../ground/privateFiles.ts';
import type { World } from '../../ground/world.ts';
import { compactDeployment } from '../compactDeployment.ts';
import { createNotices } from '../notices.ts';
import type { CompactionOptions, CompactionReport, Storage } from '../storage.ts';
import { StorageFailure } from '../storageFailure.ts';
import { findBucketNames, openBucketCounts, openBuckets } from './buckets.ts';
import { clearAllBut, clearDeployment, giveSpaceBack } from './clearing/clear.ts';
import { openCompactable } from './compact.ts';
import { type Database, type OpeningOptions, openDatabase } from './database.ts';
import { copyName, lastIdOf, openDeploymentCopy, readDeploymentCopy } from './deploymentCopy.ts';
import { openDeployments } from './deployments.ts';
import { corruptFailure, isCorrupt } from './failures.ts';
import { databaseName } from './file.ts';
import { openReader } from './reader.ts';
import { corruptFileIn, describeLostConfig, describeRecovery, recoverStorage } from './recovery.ts';
import { openRowCounts } from './rowCounts.ts';
import { isZstdThere } from './runs/texts.ts';
import { openSizes } from './sizes.ts';
import { openStored } from './stored.ts';
import { openWriteCheckpoints } from './writeCheckpoints.ts';
import { openWriter, type RightToWrite } from './writer.ts';

/** Opens the storage. If it is corrupt, a new storage replaces it, and everything is copied again. */
export async function openOrRecoverStorage(
  folder: string,
  world: Pick<World, 'log' | 'clock'>,
  options: Partial<OpeningOptions> = {},
): Promise<Storage> {
  try {
    return await openEmbeddedStorage(folder, world, options);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    recoverStorage(folder, world.clock.now());
    const storage = await openEmbeddedStorage(folder, world, options);
    const isDeployed = (await storage.deployments.all()).some(({ state }) => state === 'processing');
    const message = isDeployed ? describeRecovery(folder) : describeLostConfig(folder);
    world.log.write('error', message, error.cause instanceof Error ? { found: error.cause.message } : {});
    return storage;
  }
}

/** Throws if the storage is corrupt. */
export async function openEmbeddedStorage(
  folder: string,
  world: Pick<World, 'log'>,
  { hasZstd = isZstdThere, onUnusable = () => {}, openLog }: Partial<OpeningOptions> = {},
): Promise<Storage> {
  await makePrivate(folder, isOurs, world.log);
  const database = openDatabase(folder, { hasZstd, onUnusable, openLog });
  try {
    await demandNewestDeployment(database, folder);
    const instanceId = await database.transaction(() => instanceIdIn(database));
    const keepCopy = openDeploymentCopy(database, folder, world.log);
    await keepCopy();
    const storage = storageOf(database, instanceId, keepCopy, world);
    return existsSync(corruptFileIn(folder))
      ? { ...storage, lostConfig: describeLostConfig(folder) }
      : storage;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Throws if the newest deployment is missing. If a part of SQLite's log is damaged or missing, the newest transactions are lost,
 * and SQLite does not report that.
 */
async function demandNewestDeployment({ reading, read }: Database, folder: string): Promise<void> {
  const lastId = await read(() => lastIdOf(reading.prepare('SELECT id FROM deployments').all()));
  const copied = readDeploymentCopy(folder)?.lastId ?? 0;
  if (copied <= lastId) return;
  const cause = new Error(`${databaseName} has no deployment ${copied}, but ${copyName} has`);
  throw corruptFailure(folder, { cause });
}

/**
 * The names of other files in this folder: the embedded database stores its files here (`assembly/openParts.ts`), and so does
 * `headwater dev`.
 */
const namesBeside: ReadonlySet<string> = new Set([
  'source',
  copyName,
  `${copyName}.new`,
  ...Object.values(namesBesideData),
]);

function isOurs(name: string): boolean {
  return namesBeside.has(name) || [...lockNames, databaseName].some((own) => name.startsWith(own));
}

function storageOf(
  database: Database,
  instanceId: string,
  keepCopy: () => Promise<void>,
  world: Pick<World, 'log'>,
): Storage {
  const notices = createNotices(world.log);
  const deployments = openDeployments(database, notices, keepCopy);
  const writeCheckpoints = openWriteCheckpoints(database);
  const sizes = openSizes(database);
  const countBuckets = openBucketCounts(database);
  const countRows = openRowCounts(database);
  const writers = new Map<number, RightToWrite>();
  // All readers and writers of a deployment share their caches.
  const reader = oncePerDeployment((deployment) => openReader(database, deployment));
  const buckets = oncePerDeployment((deployment) => openBuckets(database, deployment));
  const bucketNames = oncePerDeployment((deployment) =>
    findBucketNames(database, database.reading, deployment),
  );
  const compactions = openTurns();

  const compact = async (deployment: number, options: CompactionOptions): Promise<CompactionReport> => {
    const requests = await writeCheckpoints.prune(options.now - options.requestRetention);
    const checkpoint = await reader(deployment).checkpoint();
    if (checkpoint === undefined) return { moved: 0, cleared: 0, lookups: 0, requests };
    const store = openCompactable(database, deployment, checkpoint.opId);
    const counts = await compactDeployment(store, checkpoint.opId, options);
    database.doubt();
    await giveSpaceBack(database, options.signal);
    return { ...counts, requests };
  };

  return {
    instanceId,
    deployments,
    writeCheckpoints,
    writer: async (deployment) => {
      if (writers.has(deployment)) return undefined;
      const right = giveRight(writers, deployment);
      try {
        const parts = { database, deployments, notices, buckets: buckets(deployment), right };
        return await openWriter(parts, deployment);
      } catch (error) {
        right.release();
        throw error;
      }
    },
    reader,
    stored: (deployment) => openStored(database, deployment, bucketNames(deployment)),
    watch: notices.watch,
    onDoubt: database.onDoubt,
    distrust: (message) => database.distrust(new StorageFailure('corrupt', message)),
    compact: (deployment, options) => compactions.run(() => compact(deployment, options)),
    clear: (deployment, signal) => clearDeployment(database, deployment, signal),
    clearParts: (deployment, kept, signal) => clearAllBut(database, deployment, kept, signal),
    sizes: () => database.read(sizes),
    countBuckets: (deployment, most) => database.read(() => countBuckets(deployment, most)),
    countRows: (deployment, most) => database.read(() => countRows(deployment, most)),
    close: () => database.close(),
  };
}

function oncePerDeployment<T>(open: (deployment: number) => T): (deployment: number) => T {
  const all = new Map<number, T>();
  return (deployment) => {
    const opened = all.get(deployment) ?? open(deployment);
    all.set(deployment, opened);
    return opened;
  };
}

function giveRight(writers: Map<number, RightToWrite>, deployment: number): RightToWrite {
  const right: RightToWrite = {
    isHeld: () => writers.get(deployment) === right,
    release: () => {
      if (right.isHeld()) writers.delete(deployment);
    },
  };
  writers.set(deployment, right);
  return right;
}

function instanceIdIn({ writing }: Database): string {
  const found = writing.prepare('SELECT id FROM instance').get();
  if (found !== undefined) return String(found.id);
  const id = randomUUID();
  writing.prepare('INSERT INTO instance (id, last_op) VALUES (?, 0)').run(id);
  return id;
}
