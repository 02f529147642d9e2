/** A storage that tells of rows which it found damaged: whoever reads them gets the failure all the same. */

import type { Storage } from './storage.ts';
import { StorageFailure } from './storageFailure.ts';

type OnDamage = (deployment: number, failure: StorageFailure) => void;

export function isDamage(error: unknown): error is StorageFailure {
  return error instanceof StorageFailure && error.kind === 'damaged';
}

export function tellingDamage(storage: Storage, onDamage: OnDamage): Storage {
  const watched = <T>(deployment: number, work: Promise<T>): Promise<T> => {
    work.catch((error: unknown) => {
      if (isDamage(error)) onDamage(deployment, error);
    });
    return work;
  };
  return {
    ...storage,
    reader: (deployment) => {
      const { checkpoint, checksums, read, lookups } = storage.reader(deployment);
      return {
        checkpoint,
        checksums,
        read: (...asked) => watched(deployment, read(...asked)),
        lookups: (...asked) => watched(deployment, lookups(...asked)),
      };
    },
    stored: (deployment) => {
      const stored = storage.stored(deployment);
      return {
        ...stored,
        rowsAfter: (...asked) => watched(deployment, stored.rowsAfter(...asked)),
        currentRows: (...asked) => watched(deployment, stored.currentRows(...asked)),
        lookupsAfter: (...asked) => watched(deployment, stored.lookupsAfter(...asked)),
        lookupsOf: (...asked) => watched(deployment, stored.lookupsOf(...asked)),
      };
    },
    compact: (deployment, options) => watched(deployment, storage.compact(deployment, options)),
  };
}
