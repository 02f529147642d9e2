/** The embedded storage on a disk that loses everything that was not flushed, and on one that cannot flush. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../server/service/storage/embedded/database.ts';
import { databaseName } from '../../../server/service/storage/embedded/file.ts';
import { type LogFile, openLogFile } from '../../../server/service/storage/embedded/logFile.ts';
import type { StorageFailure } from '../../../server/service/storage/storageFailure.ts';
import { strideOf } from '../../support/house/share.ts';

describe('an embedded storage whose log is flushed in a thread', () => {
  let folder: string;
  let failures: StorageFailure[];
  const data = () => join(folder, 'data');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-power-'));
    failures = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (openLog: (path: string) => LogFile, path = data()): Database =>
    openDatabase(path, { hasZstd: true, onUnusable: (failure) => failures.push(failure), openLog });
  const insertInto = (database: Database, id: number) => () => {
    database.writing.prepare('INSERT INTO buckets (id, deployment, name) VALUES (?, 1, ?)').run(id, `${id}`);
  };

  /** Writes and reads at the same time, and adds each number to a set when it was acknowledged or seen. */
  const useAll = async (database: Database, known: Set<number>): Promise<void> => {
    const series = database.series();
    const insert = (id: number) => insertInto(database, id);
    const read = async () => {
      for (const id of await database.read(() => idsIn(database.reading))) known.add(id);
    };
    for (let id = 0; id < 30; id += 5) {
      const work = [
        database.transaction(insert(id)).then(() => known.add(id)),
        series.run(insert(id + 1), 'open'),
        series.run(insert(id + 2), 'durable').then(() => known.add(id + 1).add(id + 2)),
        series.run(insert(id + 3), 'open'),
        database.transaction(insert(id + 4)).then(() => known.add(id + 4)),
      ];
      let isDone = false;
      const done = Promise.all(work).finally(() => {
        isDone = true;
      });
      while (!isDone) {
        await read();
        await setImmediate();
      }
      await done;
    }
  };

  test('keeps everything that was acknowledged or seen when the power fails', async () => {
    const flushes = await countFlushes();
    expect(flushes).toBeGreaterThan(20);
    for (let failing = 2; failing <= flushes; failing += strideOf(1)) {
      rmSync(folder, { recursive: true, force: true });
      const known = new Set<number>();
      let knownThen: readonly number[] = [];
      const disk = createDisk(data(), join(folder, 'durable'), (flush) => {
        if (flush === failing) knownThen = [...known];
        return flush < failing;
      });
      const database = open(disk.openLog);
      await useAll(database, known);
      await database.close();
      expect(known.size).toBe(30);
      const kept = new DatabaseSync(join(folder, 'durable', databaseName));
      expect(idsIn(kept)).toEqual(expect.arrayContaining([...knownThen]));
      kept.close();
    }
  });

  async function countFlushes(): Promise<number> {
    let count = 0;
    const disk = createDisk(data(), join(folder, 'durable'), (flush) => {
      count = flush;
      return true;
    });
    const database = open(disk.openLog);
    await useAll(database, new Set());
    await database.close();
    return count;
  }

  test('refuses everything after a flush has failed, and says so once', async () => {
    let flushes = 0;
    const database = open((path) => {
      const file = openLogFile(path);
      const flush = async () => {
        flushes += 1;
        // Linux reports a failed write to the disk once, and then takes the data as written.
        if (flushes === 1) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
        await file.flush();
      };
      return { ...file, flush };
    });
    const broken = {
      kind: 'other',
      message: `Reading or writing the data in ${data()} failed. Check the disk.`,
    };
    const refused = (work: Promise<unknown>) => expect(work).rejects.toMatchObject(broken);
    const series = database.series();
    await series.run(insertInto(database, 1), 'open');
    // The first flush is that of the series.
    await refused(database.transaction(insertInto(database, 2)));
    await refused(series.run(insertInto(database, 3), 'durable'));
    await refused(database.transaction(insertInto(database, 4)));
    await refused(database.read(() => idsIn(database.reading)));
    expect(flushes).toBe(1);
    expect(failures).toMatchObject([broken]);
    await database.close();
    const again = open(openLogFile);
    expect(await again.read(() => idsIn(again.reading))).toEqual([1, 2]);
    await again.close();
  });

  test('leaves nothing in the log of a process that was killed', async () => {
    const database = open(openLogFile);
    await database.transaction(insertInto(database, 1));
    const killed = join(folder, 'killed');
    cpSync(data(), killed, { recursive: true, filter: (path) => !path.includes('lock') });
    await database.close();
    const again = open(openLogFile, killed);
    const kept = join(folder, 'kept');
    cpSync(join(killed, databaseName), kept);
    await again.close();
    const alone = new DatabaseSync(kept);
    expect(idsIn(alone)).toEqual([1]);
    alone.close();
  });
});

/**
 * Creates a disk that keeps a folder as it was at the latest flush. Each flush takes some turns, and counts only if `counts` returns
 * true at its end.
 */
function createDisk(data: string, durable: string, counts: (flush: number) => boolean) {
  let flushes = 0;
  return {
    openLog: (path: string): LogFile => {
      const file = openLogFile(path);
      const flush = async () => {
        const flushed = `${durable}-${flushes}`;
        cpSync(data, flushed, { recursive: true });
        flushes += 1;
        for (let turns = 0; turns < 5; turns += 1) await setImmediate();
        await file.flush();
        if (counts(flushes)) {
          rmSync(durable, { recursive: true, force: true });
          cpSync(flushed, durable, { recursive: true });
        }
        rmSync(flushed, { recursive: true });
      };
      return { ...file, flush };
    },
  };
}

function idsIn(database: Pick<DatabaseSync, 'prepare'> | Database['reading']): readonly number[] {
  return database
    .prepare('SELECT id FROM buckets ORDER BY id')
    .all()
    .map(({ id }) => Number(id));
}
