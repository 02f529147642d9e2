/** Damage is reported by whatever read notices it, with its deployment, and the read fails in any case. */
import { describe, expect, test } from 'vitest';
import { tellingDamage } from '../../../server/service/storage/damage.ts';
import type { CompactionOptions, Storage } from '../../../server/service/storage/storage.ts';
import { damagedRow, StorageFailure } from '../../../server/service/storage/storageFailure.ts';

const compaction: CompactionOptions = {
  lookups: true,
  now: 0,
  requestRetention: 0,
  signal: new AbortController().signal,
};

/** Calls a method of a storage whose every read fails. Returns the failure of the call, and the reported damage. */
async function call(failure: StorageFailure, method: (storage: Storage) => Promise<unknown>) {
  const fail = () => Promise.reject(failure);
  const reader = { checkpoint: fail, checksums: fail, read: fail, lookups: fail };
  const stored = { rowsAfter: fail, currentRows: fail, lookupsAfter: fail, lookupsOf: fail };
  const storage = { reader: () => reader, stored: () => stored, compact: fail } as unknown as Storage;
  const reported: unknown[] = [];
  const telling = tellingDamage(storage, (deployment, damage) => reported.push([deployment, damage]));
  const thrown = await method(telling).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { thrown, reported };
}

describe.each<[string, (storage: Storage) => Promise<unknown>]>([
  ['operations', (storage) => storage.reader(7).read(1, [])],
  ['lookups', (storage) => storage.reader(7).lookups(1, [], 1)],
  ['rows', (storage) => storage.stored(7).rowsAfter(1, undefined)],
  ['current rows', (storage) => storage.stored(7).currentRows(1, [])],
  ['entries of lookups', (storage) => storage.stored(7).lookupsAfter(1, undefined)],
  ['the values of lookups', (storage) => storage.stored(7).lookupsOf(1, [])],
  ['what compaction reads', (storage) => storage.compact(7, compaction)],
])('a failure to read %s', (_what, method) => {
  test('is reported if the storage is damaged', async () => {
    const damage = damagedRow('A row');
    expect(await call(damage, method)).toEqual({ thrown: damage, reported: [[7, damage]] });
  });

  test('is not reported as damage otherwise', async () => {
    const failure = new StorageFailure('lost', 'Another process has taken over.');
    expect(await call(failure, method)).toEqual({ thrown: failure, reported: [] });
  });
});
