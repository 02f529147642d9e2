/**
 * Opens the storage of a folder that belongs to another process of the same service. This process reads the files itself. Only
 * the owner writes, and it announces its published checkpoints.
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
  /** Called when the owner has published and committed this. */
  readonly tell: (notice: Notice) => void;
  /** Called when the owner has deleted or rolled back something. */
  readonly doubt: () => void;
}

export interface OwnerOfStorage {
  readonly instanceId: string;
  /** The functions of the process that owns the folder. */
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
