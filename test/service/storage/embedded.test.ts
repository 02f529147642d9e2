import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../server/service/ground/log.ts';
import { openLogFile } from '../../../server/service/storage/embedded/logFile.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import type { Storage } from '../../../server/service/storage/storage.ts';
import { casesOf } from '../../support/house/share.ts';
import { describeStorage } from './contract.ts';

describeStorage(
  'embedded',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-storage-'));
    let opened: Storage | undefined;
    return {
      open: async () => {
        // Options of a service without workers.
        opened = await openEmbeddedStorage(folder, { log: silentLog }, { openLog: openLogFile });
        return opened;
      },
      dispose: async () => {
        await opened?.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
  casesOf(60),
);
