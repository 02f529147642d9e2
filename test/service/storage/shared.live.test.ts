/** The contract of storages, where a worker has its part: it reads by a connection of its own, and hears of the rest. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../../server/service/ground/log.ts';
import { openSharedStorage } from '../../../server/service/storage/embedded/shared.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import type { Storage } from '../../../server/service/storage/storage.ts';
import { casesOf } from '../../support/house/share.ts';
import { activated, change, commit, put, type StorageRig } from './contract/rig.ts';
import { describeStorage } from './contract.ts';

describeStorage('shared with a worker', createRig, casesOf(30));

test('a worker that knew a bucket finds the one that has its name after it was cleared', async () => {
  const rig = await createRig();
  const storage = await rig.open();
  const { deployment, writer, reader } = await activated(storage);
  const write = async (position: number, ids: readonly string[]) => {
    await writer.write({
      rows: ids.map((id, index) => change(10 * position + index, [put('b[]', id)])),
    });
    const { checkpoint } = await commit(writer, position, deployment);
    return reader.checksums(checkpoint?.opId ?? 0, ['b[]']);
  };
  expect(await write(2, ['a', 'b'])).toMatchObject([{ count: 2 }]);
  await storage.clearParts(deployment, new Set(), new AbortController().signal);
  expect(await write(3, ['c'])).toMatchObject([{ count: 1 }]);
  await rig.dispose();
});

async function createRig(): Promise<StorageRig> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-storage-'));
  let close = async (): Promise<void> => {};
  return {
    open: async () => {
      const owner = await openEmbeddedStorage(folder, { log: silentLog });
      const { instanceId, writeCheckpoints } = owner;
      const shared = openSharedStorage(
        folder,
        { instanceId, writeCheckpoints, onCorrupt: () => {} },
        silentLog,
      );
      // A channel clones the notice.
      owner.watch((notice) => shared.tell(structuredClone(notice)));
      owner.onDoubt?.(shared.doubt);
      const { reader, watch } = shared;
      close = async () => {
        await shared.close();
        await owner.close();
      };
      const storage: Storage = {
        ...owner,
        reader,
        watch,
        deployments: { ...owner.deployments, all: shared.deployments.all },
        writeCheckpoints: { ...writeCheckpoints, ...shared.writeCheckpoints },
        close,
      };
      return storage;
    },
    dispose: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
