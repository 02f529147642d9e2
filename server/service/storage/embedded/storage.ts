/** Storage in one folder, for one process: SQLite as it comes with Node. */
import { randomUUID } from 'node:crypto';
import { namesBesideData } from '../../../shared/files.ts';
import { lockNames } from '../../ground/folderLock.ts';
import { makePrivate } from '../../ground/privateFiles.ts';
import { openTurns } from '../../ground/turns.ts';
import type { World } from '../../ground/world.ts';
import { compactDeployment } from '../compactDeployment.ts';
import { createNotices } from '../notices.ts';
import type { CompactionOptions, CompactionReport, Storage } from '../storage.ts';
import { findBucketNames, openBucketCounts, openBuckets } from './buckets.ts';
import { clearAllBut, clearDeployment, giveSpaceBack } from './clearing/clear.ts';
import { openCompactable } from './compact.ts';
import { type Database, openDatabase } from './database.ts';
import { openDeployments } from './deployments.ts';
import { openReader } from './reader.ts';
import { openRowCounts } from './rowCounts.ts';
import { isZstdThere } from './runs/texts.ts';
import { openSizes } from './sizes.ts';
import { openStored } from './stored.ts';
import { openWriteCheckpoints } from './writeCheckpoints.ts';
import { openWriter, type RightToWrite } from './writer.ts';

export async function openEmbeddedStorage(
  folder: string,
  world: Pick<World, 'log'>,
  hasZstd = isZstdThere,
): Promise<Storage> {
  await makePrivate(folder, isOurs, world.log);
  const database = openDatabase(folder, hasZstd);
  try {
    const instanceId = await database.transaction(() => instanceIdIn(database));
    return storageOf(database, instanceId, world);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The embedded database keeps its files here too (`assembly/openParts.ts`), and so does `headwater dev`. */
const namesBeside: ReadonlySet<string> = new Set(['source', ...Object.values(namesBesideData)]);

function isOurs(name: string): boolean {
  return namesBeside.has(name) || [...lockNames, 'data.sqlite'].some((own) => name.startsWith(own));
}

function storageOf(database: Database, instanceId: string, world: Pick<World, 'log'>): Storage {
  const notices = createNotices(world.log);
  const deployments = openDeployments(database, notices);
  const writeCheckpoints = openWriteCheckpoints(database);
  const sizes = openSizes(database);
  const countBuckets = openBucketCounts(database);
  const countRows = openRowCounts(database);
  const writers = new Map<number, RightToWrite>();
  // What a deployment's readers and writers remember is shared by all of them.
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
