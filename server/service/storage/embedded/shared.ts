/**
 * The storage of a folder as another process of the same service sees it. This process reads the files itself, and the process
 * that owns them announces what was published. Only the owner writes.
 */
import type { Log } from '../../ground/log.ts';
import { createNotices } from '../notices.ts';
import type { BucketReader, Notice, ServingStorage, WriteCheckpointStore } from '../storage.ts';
import type { StorageFailure } from '../storageFailure.ts';
import { openForReading } from './database.ts';
import { openDeploymentReader } from './deployments.ts';
import { openReader } from './reader.ts';
import { openReachedCheckpoints } from './writeCheckpoints.ts';

interface SharedStorage extends ServingStorage {
  /** The other process has published this, and has committed it before. */
  readonly tell: (notice: Notice) => void;
  /** The other process has deleted or rolled back something. */
  readonly doubt: () => void;
}

export interface OwnerOfStorage {
  readonly instanceId: string;
  /** The work of the process that owns the folder. */
  readonly writeCheckpoints: Pick<WriteCheckpointStore, 'create' | 'request' | 'watch'>;
  readonly onCorrupt: (failure: StorageFailure) => void;
}

export function openSharedStorage(
  folder: string,
  { instanceId, writeCheckpoints, onCorrupt }: OwnerOfStorage,
  log: Log,
): SharedStorage {
  const database = openForReading(folder, onCorrupt);
  const notices = createNotices(log);
  const readers = new Map<number, BucketReader>();
  return {
    instanceId,
    deployments: openDeploymentReader(database),
    writeCheckpoints: { ...writeCheckpoints, ...openReachedCheckpoints(database) },
    reader: (deployment) => {
      const reader = readers.get(deployment) ?? openReader(database, deployment);
      readers.set(deployment, reader);
      return reader;
    },
    watch: notices.watch,
    tell: notices.send,
    doubt: database.doubt,
    close: database.close,
  };
}
