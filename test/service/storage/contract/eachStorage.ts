/** A new storage for each test of a suite. Apart from `rig.ts`, which also runs in processes without tests. */
import { afterEach, beforeEach } from 'vitest';
import type { Storage } from '../../../../server/service/storage/storage.ts';
import type { CreateRig, StorageRig } from './rig.ts';

/**
 * Prepares a storage for each test. Must be called in a suite.
 *
 * @param take gets the storage before each test, and whenever it was opened again
 * @returns the function that closes the storage and opens its data again
 */
export function withEachStorage(create: CreateRig, take: (storage: Storage) => void): () => Promise<void> {
  let rig: StorageRig;
  let storage: Storage;
  const open = async () => {
    storage = await rig.open();
    take(storage);
  };
  beforeEach(async () => {
    rig = await create();
    await open();
  });
  afterEach(() => rig.dispose());
  return async () => {
    await storage.close();
    await open();
  };
}
