/** A database of the real client SDK in its own folder. It can also be used outside of tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Schema } from '@powersync/common';
import { PowerSyncDatabase } from '@powersync/node';

export interface SdkDatabase {
  readonly database: PowerSyncDatabase;
  readonly close: () => Promise<void>;
}

export function openSdkDatabase(schema: Schema): SdkDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-app-'));
  const database = new PowerSyncDatabase({
    schema,
    // The SDK connects only one database with the same name at a time, so each database has its own name.
    database: {
      dbFilename: `${basename(folder)}.db`,
      dbLocation: folder,
      implementation: { type: 'node:sqlite' },
    },
  });
  return {
    database,
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
