/** The cluster in the package: it is the one that `initdb` creates, and a copy is never half a cluster. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../../scripts/root.ts';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import { startDatabase } from '../../../../server/service/replication/embedded/child.ts';
import {
  type Cluster,
  readEmptyCluster,
} from '../../../../server/service/replication/embedded/database/clusterFile.ts';
import {
  createCluster,
  hasCluster,
  MemoryCluster,
} from '../../../../server/service/replication/embedded/database/emptyCluster.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-cluster-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function newFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

/** The answers to queries, as text. */
async function ask(database: PGlite, queries: readonly string[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const query of queries) {
    const { rows } = await database.query<{ readonly row: string }>(
      `SELECT q::text AS row FROM (${query}) AS q`,
    );
    answers.push(...rows.map(({ row }) => row));
  }
  return answers;
}

function identifierIn({ files }: Cluster): bigint {
  const [control] = files.filter(({ path }) => path === 'global/pg_control');
  return Buffer.from(control?.content ?? []).readBigUInt64LE();
}

describe('the empty cluster', () => {
  const whatIsThere = [
    'SELECT name, setting, source, boot_val, reset_val FROM pg_settings ORDER BY 1',
    'SELECT * FROM pg_database ORDER BY oid',
    'SELECT * FROM pg_authid ORDER BY oid',
    'SELECT * FROM pg_auth_members ORDER BY oid',
    'SELECT * FROM pg_collation ORDER BY oid',
    'SELECT * FROM pg_hba_file_rules',
    'SELECT * FROM pg_control_init()',
    'SELECT pg_control_version, catalog_version_no FROM pg_control_system()',
    'SELECT current_user, current_database(), version()',
  ];
  /** Whether the file differs for each cluster: it is random, belongs to the log, or is a cache. */
  const isAnother = (path: string): boolean =>
    /^global\/pg_control$|^pg_wal\/[0-9A-F]{24}$|pg_internal\.init$/.test(path);
  let initialised: string;
  let expected: readonly string[];
  beforeAll(async () => {
    initialised = join(folder, 'initialised');
    const database = await PGlite.create(initialised);
    expected = await ask(database, whatIsThere);
    await database.close();
  });

  test('has the files that initdb creates', () => {
    const copy = newFolder('files');
    createCluster(copy);
    const contents = (cluster: string) =>
      readdirSync(cluster, { recursive: true, withFileTypes: true })
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((place) => !isAnother(relative(cluster, place)))
        .map((place) => [
          relative(cluster, place),
          statSync(place).isFile() ? readFileSync(place, 'latin1') : 'a folder',
        ])
        .toSorted();
    const found = contents(copy);
    expect(found.length).toBeGreaterThan(900);
    expect(found.map(([path]) => path)).toEqual(contents(initialised).map(([path]) => path));
    const wanted = new Map(contents(initialised) as [string, string][]);
    expect(
      found.filter(([path = '', content]) => wanted.get(path) !== content).map(([path]) => path),
    ).toEqual([]);
  });

  test('has the settings, databases and roles of one that initdb creates', async () => {
    const copy = newFolder('settings');
    createCluster(copy);
    const database = await PGlite.create(copy);
    expect(await ask(database, whatIsThere)).toEqual(expected);
    await database.close();
  });

  test('has them in memory', async () => {
    const database = await PGlite.create({ fs: new MemoryCluster() });
    const inMemory = await ask(database, whatIsThere);
    // The modes of a folder that nobody else can reach.
    const isMode = (line: string) => line.startsWith('(data_directory_mode,');
    expect(inMemory.filter((line) => !isMode(line))).toEqual(expected.filter((line) => !isMode(line)));
    await database.close();
  });

  test('has an identifier of its own in each copy, and always the same in memory', async () => {
    const copies = ['one', 'other'].map(newFolder);
    for (const copy of copies) createCluster(copy);
    const places = copies.map((copy) => readFileSync(join(copy, 'global/pg_control')));
    const [one = 0n, other = 0n] = places.map((control) => control.readBigUInt64LE(0));
    expect(one).not.toBe(other);
    for (const [choice, identifier] of [
      [{ dataDir: copies[0] as string }, one],
      [{ fs: new MemoryCluster() }, identifierIn(readEmptyCluster())],
    ] as const) {
      const database = await PGlite.create(choice);
      expect(await ask(database, ['SELECT system_identifier FROM pg_control_system()'])).toEqual([
        `(${identifier})`,
      ]);
      await database.close();
    }
  });

  test.skipIf(process.platform === 'win32')('can be read by its user alone', async () => {
    const data = join(folder, 'private');
    const database = await startDatabase(
      { folder: data, password: 'secret' },
      { log: silentLog, clock: systemClock },
    );
    const places = readdirSync(data, { recursive: true }).map((path) => join(data, String(path)));
    expect(places.filter((place) => statSync(place).mode & 0o077)).toEqual([]);
    await database.stop();
  });
});

/** Runs `createCluster` in a process that kills itself with the call of this number that writes a file. */
function createHalf(copy: string, calls: number): NodeJS.Signals | null {
  const module = join(root, 'server/service/replication/embedded/database/emptyCluster.ts');
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { writeFileSync } = fs;
    let left = ${calls};
    fs.writeFileSync = (file, content) => {
      left -= 1;
      if (left > 0) return writeFileSync(file, content);
      writeFileSync(file, content.subarray(0, content.length / 2));
      process.kill(process.pid, 'SIGKILL');
    };
    syncBuiltinESMExports();
    const { createCluster } = await import('${pathToFileURL(module)}');
    createCluster(${JSON.stringify(copy)});`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script]).signal;
}

const { length: all } = readEmptyCluster().files;

test.skipIf(process.platform === 'win32').each([1, Math.floor(all / 2), all])(
  'a process that is killed while it writes file %i leaves no cluster, and the next one creates it',
  async (calls) => {
    const data = newFolder(`half ${calls}`);
    expect(createHalf(data, calls)).toBe('SIGKILL');
    expect(readdirSync(data)).not.toEqual([]);
    expect(hasCluster(data)).toBe(false);
    const database = await startDatabase(
      { folder: data, password: 'secret' },
      { log: silentLog, clock: systemClock },
    );
    const query = {
      kind: 'query',
      rights: 'owner',
      sql: 'SELECT count(*) FROM pg_database',
      parameters: [],
    } as const;
    expect((await database.ask(query)).rows).toEqual([['3']]);
    expect(readdirSync(data)).not.toContain('PG_VERSION.new');
    await database.stop();
  },
);
