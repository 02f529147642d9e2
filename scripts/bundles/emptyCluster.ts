/** Creates the empty cluster of the embedded database in the same way as the embedded database itself. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { type Cluster, packCluster } from '../../server/service/replication/embedded/database/clusterFile.ts';

/** Caches that PostgreSQL removes when it starts. */
const cacheFile = /(^|\/)pg_internal\.init$/;
const walFile = /^pg_wal\/([0-9A-F]{24})$/;

export async function renderEmptyCluster(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-cluster-'));
  try {
    const segment = await initialise(folder);
    const { folders, files } = readFolder(folder);
    const isNeeded = (path: string) =>
      !cacheFile.test(path) && (walFile.exec(path)?.[1] ?? segment) === segment;
    return packCluster({ folders, files: files.filter(({ path }) => isNeeded(path)) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the segment of the log in which the cluster continues. The segment contains only a checkpoint so far. */
async function initialise(folder: string): Promise<string> {
  const database = await PGlite.create(folder);
  await database.exec('SELECT pg_switch_wal(); CHECKPOINT');
  const { rows } = await database.query<{ name: string }>(
    'SELECT pg_walfile_name(pg_current_wal_lsn()) AS name',
  );
  await database.close();
  const [{ name = '' } = {}] = rows;
  return name;
}

function readFolder(folder: string): Cluster {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, place: join(entry.parentPath, entry.name) }))
    .map(({ entry, place }) => ({ entry, place, path: place.slice(folder.length + 1).replaceAll(sep, '/') }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return {
    folders: entries.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path),
    files: entries
      .filter(({ entry }) => entry.isFile())
      .map(({ path, place }) => ({ path, content: readFileSync(place) })),
  };
}
