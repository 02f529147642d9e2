/** Wraps a storage so that damaged rows are reported when they are found. Reading such a row fails in any case. */

import type { Storage } from './storage.ts';
import { StorageFailure } from './storageFailure.ts';

type OnDamage = (deployment: number, failure: StorageFailure) => void;

export function isDamage(error: unknown): error is StorageFailure {
  return error instanceof StorageFailure && error.kind === 'damaged';
}

type WatchDamage = <T>(deployment: number, work: Promise<T>) => Promise<T>;

function watchDamage(onDamage: OnDamage): WatchDamage {
  return (deployment, work) => {
    work.catch((error: unknown) => {
      if (isDamage(error)) onDamage(deployment, error);
    });
    return work;
  };
}

export function readersTellingDamage(
  storage: Pick<Storage, 'reader'>,
  onDamage: OnDamage,
): Storage['reader'] {
  const watch = watchDamage(onDamage);
  return (deployment) => {
    const { checkpoint, checksums, read, lookups } = storage.reader(deployment);
    return {
      checkpoint,
      checksums,
      read: (...asked) => watch(deployment, read(...asked)),
      lookups: (...asked) => watch(deployment, lookups(...asked)),
    };
  };
}

export function tellingDamage(storage: Storage, onDamage: OnDamage): Storage {
  const watch = watchDamage(onDamage);
  return {
    ...storage,
    reader: readersTellingDamage(storage, onDamage),
    stored: (deployment) => {
      const stored = storage.stored(deployment);
      return {
        ...stored,
        rowsAfter: (...asked) => watch(deployment, stored.rowsAfter(...asked)),
        currentRows: (...asked) => watch(deployment, stored.currentRows(...asked)),
        lookupsAfter: (...asked) => watch(deployment, stored.lookupsAfter(...asked)),
        lookupsOf: (...asked) => watch(deployment, stored.lookupsOf(...asked)),
      };
    },
    compact: (deployment, options) => watch(deployment, storage.compact(deployment, options)),
  };
}
