/** The data folder belongs to one process. */
import { FolderInUse, lockFolder } from '../../ground/folderLock.ts';
import { StorageFailure } from '../storageFailure.ts';

/** Milliseconds to wait for a process that is just ending. */
const PATIENCE = 500;

/** Returns what releases it. */
export function lockStorage(folder: string): () => void {
  try {
    return lockFolder(folder, PATIENCE);
  } catch (error) {
    throw error instanceof FolderInUse
      ? new StorageFailure('in-use', error.message, { cause: error })
      : error;
  }
}
