/** Opens the storage and the source that the settings name. Only the modules of these types are loaded. */
import { join } from 'node:path';
import type { ServiceSettings } from '../config/settings.ts';
import { ServiceError } from '../ground/errors.ts';
import type { World } from '../ground/world.ts';
import type { Source } from '../replication/source.ts';
import type { Storage } from '../storage/storage.ts';
import type { StorageFailure } from '../storage/storageFailure.ts';

/** The use of an embedded storage. */
interface EmbeddedUse {
  /** Called once, if the storage must be opened again. */
  readonly onUnusable: (failure: StorageFailure) => void;
  /** Whether other processes read its files. */
  readonly isShared: boolean;
}

export async function openStorage(
  { storage, role, migrations }: ServiceSettings,
  world: World,
  embedded?: EmbeddedUse,
): Promise<Storage> {
  if (storage.type === 'embedded') {
    refuseApart(role, 'storage');
    const { openOrRecoverStorage } = await import('../storage/embedded/storage.ts');
    if (embedded === undefined) return openOrRecoverStorage(storage.path, world);
    const { openLogFile } = await import('../storage/embedded/logFile.ts');
    const { onUnusable, isShared } = embedded;
    return openOrRecoverStorage(storage.path, world, {
      onUnusable,
      ...(!isShared && { openLog: openLogFile }),
    });
  }
  const { openPostgresStorage } = await import('../storage/postgres/storage.ts');
  return openPostgresStorage(storage, world, migrations);
}

/** @param folder the absolute path of the folder for an embedded database, if the settings do not name one */
export async function openSource(settings: ServiceSettings, folder: string, world: World): Promise<Source> {
  const { connection, role } = settings;
  if (connection.type === 'embedded') {
    refuseApart(role, 'source database');
    const { openEmbeddedSource } = await import('../replication/embedded/source.ts');
    return openEmbeddedSource(connection, join(homeOf(settings, folder), 'source'), world);
  }
  const { openPostgresSource } = await import('../replication/postgres/source.ts');
  return openPostgresSource(connection, world);
}

/** Returns the data folder of the embedded parts, or undefined if no part is embedded. */
export function embeddedFolderOf(settings: ServiceSettings, folder: string): string | undefined {
  const isAnyEmbedded = [settings.storage, settings.connection].some(({ type }) => type === 'embedded');
  return isAnyEmbedded ? homeOf(settings, folder) : undefined;
}

function homeOf({ storage }: ServiceSettings, folder: string): string {
  return storage.type === 'embedded' ? storage.path : join(folder, '.headwater');
}

function refuseApart(role: ServiceSettings['role'], what: string): void {
  if (role === 'unified') return;
  throw new ServiceError(
    'SVC_S3201',
    `An embedded ${what} belongs to one process. With role ${role}, the type must be postgresql.`,
  );
}
