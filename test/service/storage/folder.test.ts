import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../server/service/ground/log.ts';
import { failureOf } from '../../../server/service/storage/embedded/failures.ts';
import { unpackLists } from '../../../server/service/storage/embedded/lists/packedLists.ts';
import { checkOfRow } from '../../../server/service/storage/embedded/runs/checks.ts';
import { migrations } from '../../../server/service/storage/embedded/schema.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import { kinds, textOfClear, textOfMove, textOfOp } from '../../../server/service/storage/operation.ts';
import { writeLists } from '../../../server/service/storage/rowLists.ts';
import type { Storage } from '../../../server/service/storage/storage.ts';
import { sourcesIn } from '../../support/house/imports.ts';
import { casesOf } from '../../support/house/share.ts';
import {
  activated,
  change,
  commit,
  deploy,
  drawn,
  linesOf,
  positionAt,
  put,
  readAll,
  todos,
  writerOf,
} from './contract/rig.ts';

describe('a data folder', () => {
  let folder: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-folder-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const open = (path = folder) => openEmbeddedStorage(path, { log: silentLog });

  /** Starts another process that opens the folder and writes, and returns the lines of its output. */
  const startWriting = () => {
    const script = join(import.meta.dirname, 'writingProcess.ts');
    const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
    const child = spawn(process.execPath, [quiet, script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    return { child, gone, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  };

  test('is created if it does not exist', async () => {
    const storage = await open(join(folder, 'a', 'b'));
    expect(await storage.deployments.all()).toEqual([]);
    await storage.close();
  });

  test('that is open in this process is refused, until it is closed', async () => {
    const storage = await open();
    await expect(open()).rejects.toMatchObject({
      kind: 'in-use',
      message: `${folder} is in use by process ${process.pid}. Stop the service that runs there, or choose another folder: storage.path.`,
    });
    await storage.close();
    await (await open()).close();
  });

  test('that is open in another process is refused with the id of that process, until that is killed', async () => {
    const { child, gone, lines } = startWriting();
    await lines.next();
    await expect(open()).rejects.toMatchObject({
      kind: 'in-use',
      message: `${folder} is in use by process ${child.pid}. Stop the service that runs there, or choose another folder: storage.path.`,
    });
    child.kill('SIGKILL');
    await gone;
    await (await open()).close();
  });

  test('keeps all acknowledged writes, and no partial ones, when its process is killed', async () => {
    let acknowledged = 0;
    for (let round = 0; round < casesOf(6); round++) {
      const { child, gone, lines } = startWriting();
      for (let count = 0; count < 5 + round * 3; count++) {
        const { value } = await lines.next();
        acknowledged = Number(value);
      }
      child.kill('SIGKILL');
      // The last number that the process printed before it ended was acknowledged.
      for await (const line of { [Symbol.asyncIterator]: () => lines }) acknowledged = Number(line);
      await gone;
      const storage = await open();
      const reader = storage.reader(1);
      const checkpoint = await reader.checkpoint();
      const opId = checkpoint?.opId ?? 0;
      expect(opId).toBeGreaterThanOrEqual(acknowledged);
      const idsIn = async (bucket: string) =>
        new Set(linesOf(await readAll(reader, opId, [bucket])).map(({ object_id }) => object_id));
      const [a, b] = await reader.checksums(opId, ['a', 'b']);
      // Each transaction writes to both buckets. The process may have been killed when only one of them was compacted.
      expect(a?.checksum).toBe(b?.checksum);
      expect(await idsIn('a')).toEqual(await idsIn('b'));
      const all = linesOf(await readAll(reader, opId, ['a', 'b']));
      expect(all).toHaveLength((a?.count ?? 0) + (b?.count ?? 0));
      await storage.close();
    }
  });

  test('of a newer version is refused', async () => {
    await (await open()).close();
    const database = new DatabaseSync(join(folder, 'data.sqlite'));
    database.exec('PRAGMA user_version = 99; PRAGMA application_id = 99');
    database.close();
    await expect(open()).rejects.toMatchObject({ kind: 'newer', message: expect.stringContaining(folder) });
  });

  describe('with compressed runs', () => {
    const rows = (from: number) =>
      Array.from({ length: 100 }, (_, index) => {
        const id = `row ${from + index}`;
        return change(from + index, [put('a', id, JSON.stringify({ id, text: 'The same of all of them' }))]);
      });
    const columns = () => {
      const database = new DatabaseSync(join(folder, 'data.sqlite'));
      const found = database.prepare("SELECT json = '' AS isEmpty, zstd IS NULL AS isText FROM runs").all();
      database.close();
      return found.map(({ isEmpty, isText }) => (isText === 1 ? 'text' : isEmpty === 1 ? 'zstd' : 'both'));
    };
    const without = () => openEmbeddedStorage(folder, { log: silentLog }, { hasZstd: false });
    const idsIn = async (storage: Storage, last: number) =>
      linesOf(await readAll(storage.reader(1), last, ['a'])).map(({ object_id }) => object_id);

    test('is refused by a process that cannot read them', async () => {
      const storage = await open();
      const { writer, deployment } = await activated(storage);
      await writer.write({ rows: rows(0) });
      await commit(writer, 2, deployment);
      await storage.close();
      expect(columns()).toEqual(['zstd']);
      await expect(without()).rejects.toMatchObject({
        kind: 'newer',
        message: expect.stringContaining('zstd'),
      });
      // The file must not stay open.
      await (await open()).close();
    });

    test('may also have uncompressed runs, of such a process or of an earlier version', async () => {
      const storage = await without();
      const { writer, deployment } = await activated(storage);
      await writer.write({ rows: rows(0) });
      await commit(writer, 2, deployment);
      await storage.close();
      await (await without()).close();
      expect(columns()).toEqual(['text']);
      const again = await open();
      const next = await writerOf(again, deployment);
      const last = await next.write({ rows: rows(100) });
      await commit(next, 3, deployment);
      const all = Array.from({ length: 200 }, (_, index) => `row ${index}`);
      expect(await idsIn(again, last)).toEqual(all);
      await again.close();
      expect(columns()).toEqual(['text', 'zstd']);
    });
  });

  test('of version 0.2.0 is read as it is', async () => {
    const storage = await openEmbeddedStorage(folder, { log: silentLog }, { hasZstd: false });
    const { writer, deployment } = await activated(storage);
    const ops = Array.from({ length: 300 }, (_, index) => put('a', `row ${index}`));
    const last = await writer.write({ rows: [change(1, ops)] });
    await commit(writer, 2, deployment);
    await storage.close();
    const database = new DatabaseSync(join(folder, 'data.sqlite'));
    takeBack(database);
    const before = database.prepare('SELECT * FROM runs').all();
    database.close();
    const again = await open();
    expect(linesOf(await readAll(again.reader(1), last, ['a'])).map(({ object_id }) => object_id)).toEqual(
      ops.map(({ id }) => id),
    );
    await again.close();
    const migrated = new DatabaseSync(join(folder, 'data.sqlite'));
    expect(migrated.prepare('SELECT * FROM runs').all()).toEqual(
      before.map((run) => ({ ...run, zstd: null, size: null })),
    );
    migrated.close();
  });

  test('of the first version keeps all of its data', async () => {
    const database = new DatabaseSync(join(folder, 'data.sqlite'));
    const rowOf = (start: string) => `unhex('${start.padEnd(32, '0')}')`;
    database.exec(`${migrations[0]}; PRAGMA user_version = 1;
      INSERT INTO instance VALUES ('an instance', 9);
      INSERT INTO deployments (state, content, slot_name, storage_version, created_at, snapshot_done, last_op,
        committed_op, last_checkpoint, last_checkpoint_lsn)
        VALUES ('active', 'streams: {}', 'a slot', 2, 1, 1, 9, 9, 9, '${positionAt(5)}');
      INSERT INTO buckets VALUES (1, 1, 'a');
      INSERT INTO ops VALUES (3, 1, ${kinds.CLEAR}, 4294967295, 8, '${textOfClear(3, 2 ** 32 - 1)}');
      INSERT INTO ops VALUES (7, 1, ${kinds.MOVE}, 5, 9, '${textOfMove(7, 5)}');
      INSERT INTO ops VALUES (9, 1, ${kinds.PUT}, ${put('a', 'é').checksum}, NULL, '${textOfOp(put('a', 'é'), 9)}');
      INSERT INTO current_rows VALUES
        (1, 4, ${rowOf('0b5a00010000')}, '[[["a","todos","é"]],["l"]]', NULL),
        (2, 4, ${rowOf('0b5a00010001')}, '[[],[]]', x'07'),
        (3, 4, ${rowOf('ff5a00010000')}, '[[],[]]', NULL),
        (4, 5, ${rowOf('0b5a00010000')}, '[[],["other"]]', NULL)`);
    database.close();

    const storage = await open();
    expect(storage.instanceId).toBe('an instance');
    const reader = storage.reader(1);
    expect(await reader.checksums(9, ['a'])).toEqual([
      { bucket: 'a', checksum: (put('a', 'é').checksum + 4) | 0, count: 3 },
    ]);
    const chunks = await reader.read(9, [{ bucket: 'a', after: 0 }]);
    expect(drawn(chunks)).toEqual(['3 CLEAR', '7 MOVE', '9 PUT é']);
    expect(chunks[0]?.target).toBe(9);
    const writer = await writerOf(storage, 1);
    const keyOf = (start: string) => `${start}-0000-0000-000000000000`;
    const keys = ['0b5a0001-0000', '0b5a0001-0001', 'ff5a0001-0000', '0b5a0001-0002'].map(keyOf);
    expect(await writer.currentRows(4, keys)).toMatchObject([
      { key: keys[0], memberships: [{ bucket: 'a', type: 'todos', id: 'é' }], lookups: ['l'] },
      { key: keys[1], values: new Uint8Array([7]) },
      { key: keys[2], values: undefined },
      undefined,
    ]);
    expect(await writer.currentRows(5, keys)).toMatchObject([
      { lookups: ['other'] },
      ...[undefined, undefined, undefined],
    ]);
    await storage.close();
  });

  test.each([
    ['is overwritten', (file: string) => writeFileSync(file, 'x'.repeat(50_000))],
    ['has lost its end', (file: string) => truncateSync(file, 10_000)],
    [
      'has other bytes in the middle',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.fill(255, 4_096, 60_000);
        writeFileSync(file, bytes);
      },
    ],
  ])('whose file %s is reported as corrupt', async (_, damage) => {
    const storage = await open();
    const { writer, deployment } = await activated(storage);
    await writer.write({ rows: [change(1, [put('a', 'x')])] });
    await commit(writer, 2, deployment);
    await storage.close();
    damage(join(folder, 'data.sqlite'));
    const use = async () => {
      const damaged = await open();
      try {
        await damaged.deployments.all();
        await readAll(damaged.reader(deployment), 100, ['a']);
      } finally {
        await damaged.close();
      }
    };
    const corrupt = { kind: 'corrupt', message: expect.stringContaining(folder) };
    await expect(use()).rejects.toMatchObject(corrupt);
    // The file must not stay open.
    await expect(use()).rejects.toMatchObject(corrupt);
  });

  test.each([
    ['a file', () => 'file', 'is a file'],
    ['below a file', () => join('file', 'data'), 'a part of its path is a file'],
  ])('that is %s is refused', async (_, name, words) => {
    writeFileSync(join(folder, 'file'), '');
    const path = join(folder, name());
    const message = expect.stringContaining(words);
    await expect(open(path)).rejects.toMatchObject({ kind: 'not-writable', message });
  });

  test('on a full disk fails with a message about the disk', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('PRAGMA max_page_count = 3; CREATE TABLE t (x)');
    let failure: unknown;
    try {
      database.exec('INSERT INTO t VALUES (zeroblob(100000))');
    } catch (error) {
      failure = failureOf(error, '/data');
    }
    database.close();
    expect(failure).toMatchObject({
      kind: 'full',
      message: 'The disk with /data is full. Nothing is lost: free some space.',
    });
  });

  test('can be used after a transaction has failed', async () => {
    const storage = await open();
    const { writer, deployment, reader } = await activated(storage);
    const good = change(1, [put('a', 'x')]);
    const before = await writer.write({ rows: [good] });
    // The bucket is new, so its number must be forgotten when the transaction fails.
    const first = change(2, [put('new', 'y')]);
    const bad = { ...change(3, [put('new', 'y')]), table: Number.NaN };
    await expect(writer.write({ rows: [good, first, bad] })).rejects.toThrow();
    const after = await writer.write({
      rows: [change(3, [put('other', 'z')]), change(4, [put('new', 'y')])],
    });
    expect(after).toBe(before + 2);
    await commit(writer, 2, deployment);
    const sums = await reader.checksums(after, ['a', 'new', 'other']);
    expect(sums.map(({ count }) => count)).toEqual([1, 1, 1]);
    expect(linesOf(await readAll(reader, after, ['new']))).toMatchObject([{ object_id: 'y' }]);
    await storage.close();
  });

  test.each([
    ['of version 0.2.0', released],
    ['with rows that are not packed', migrations.findIndex((migration) => migration.includes('packed BLOB'))],
  ])('%s keeps all of its rows, even if the first start is interrupted', async (_, version) => {
    const storage = await openEmbeddedStorage(folder, { log: silentLog }, { hasZstd: false });
    const { writer, deployment } = await activated(storage);
    const { id: table } = await writer.putTable(todos);
    const rowsOf = (bucket: string) =>
      Array.from({ length: 30 }, (_, number) => change(number, [put(bucket, `${number}`)], { table }));
    await writer.write({ rows: rowsOf('a') });
    await storage.close();
    const database = new DatabaseSync(join(folder, 'data.sqlite'));
    if (version === released) database.exec('INSERT INTO row_places SELECT place, row FROM new_places');
    takeBack(database, version);
    // A process that ended in the middle of the migrations leaves the file like this.
    database.exec('BEGIN');
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.close();
    const again = await open();
    const writing = await writerOf(again, deployment);
    const keys = rowsOf('a').map((row) => row.key);
    const bucketsOf = async () =>
      (await writing.currentRows(table, keys)).map((row) => row?.memberships[0]?.bucket);
    expect(await bucketsOf()).toEqual(keys.map(() => 'a'));
    // A part of the rows is in the former form, and a part in the new one.
    await writing.write({ rows: rowsOf('b').slice(10) });
    const mixed = keys.map((_, index) => (index < 10 ? 'a' : 'b'));
    expect(await bucketsOf()).toEqual(mixed);
    const contents = await again.stored(deployment).rowsAfter(table, undefined);
    expect(contents.map(({ memberships }) => memberships[0]?.bucket)).toEqual(mixed);
    await writing.write({ rows: [change(0, [], { table })] });
    expect(await bucketsOf()).toEqual([undefined, ...mixed.slice(1)]);
    expect(await again.countRows(deployment, 30)).toMatchObject([{ rows: 29 }]);
    await again.close();
    const migrated = new DatabaseSync(join(folder, 'data.sqlite'));
    expect(migrated.prepare(`SELECT count(*) AS n FROM current_rows WHERE lists <> ''`).get()).toEqual({
      n: 9,
    });
    migrated.close();
  });

  test('whose reset was interrupted is emptied before anything is written', async () => {
    const storage = await open();
    const { writer, deployment } = await activated(storage);
    const last = await writer.write({ rows: [change(1, [put('a', 'x')])] });
    await storage.close();
    const database = new DatabaseSync(join(folder, 'data.sqlite'));
    database.exec('UPDATE deployments SET resetting = 1, "check" = NULL');
    database.close();
    const again = await open();
    await writerOf(again, deployment);
    expect(await readAll(again.reader(deployment), last, ['a'])).toEqual([]);
    await again.close();
  });

  test('refuses all requests once it is closed', async () => {
    const storage = await open();
    const writer = await writerOf(storage, await deploy(storage));
    await storage.close();
    await storage.close();
    const closed = { kind: 'closed', message: `The storage in ${folder} is closed.` };
    await expect(storage.deployments.all()).rejects.toMatchObject(closed);
    await expect(writer.write({ rows: [] })).rejects.toMatchObject(closed);
    expect(() => storage.reader(1)).toThrow(closed.message);
  });

  test('has an empty log when a copy has ended', async () => {
    const storage = await open();
    const deployment = await deploy(storage);
    const writer = await writerOf(storage, deployment);
    const { id: table } = await writer.putTable(todos);
    const rows = Array.from({ length: 300 }, (_, index) => {
      const text = randomBytes(6_000).toString('base64');
      return change(index, [put('a', `${index}`, JSON.stringify({ text }))], { table });
    });
    const last = await writer.write({ rows });
    await writer.finishSnapshot(positionAt(1));
    const log = join(folder, 'data.sqlite-wal');
    expect(statSync(log).size).toBeGreaterThan(2 ** 20);
    await commit(writer, 1, deployment);
    expect(statSync(log).size).toBe(0);
    const ids = linesOf(await readAll(storage.reader(deployment), last, ['a'])).map((line) => line.object_id);
    expect(ids).toEqual(rows.map((_, index) => `${index}`));
    await storage.close();
  });

  // An open file cannot be deleted on Windows.
  test.skipIf(process.platform === 'win32')('can be published to even if its log is missing', async () => {
    const storage = await open();
    const deployment = await deploy(storage);
    const writer = await writerOf(storage, deployment);
    await writer.write({ rows: [change(1, [put('a', 'x')])] });
    await writer.finishSnapshot(positionAt(1));
    rmSync(join(folder, 'data.sqlite-wal'));
    expect(await commit(writer, 1, deployment)).toMatchObject({ published: true });
    await storage.close();
  });

  test('keeps the buckets of all rows that an interrupted clearing leaves', async () => {
    const storage = await open();
    const { writer, deployment } = await activated(storage);
    const { id: table } = await writer.putTable(todos);
    const rows = Array.from({ length: 30 }, (_, n) => change(n, [put(`${n}`, 'x')], { table }));
    await writer.write({ rows });
    const left: number[] = [];
    for (let looks = 0; left.at(-1) !== 0; looks += 1) {
      let count = 0;
      const signal = {
        get aborted() {
          count += 1;
          return count > looks;
        },
      } as AbortSignal;
      await storage.clear(deployment, signal);
      left.push((await storage.stored(deployment).rowsAfter(table, undefined)).length);
    }
    expect(left[0]).toBe(30);
    await storage.close();
  });

  test('gets smaller when a deployment is cleared', async () => {
    const storage = await open();
    const { writer, deployment } = await activated(storage);
    const { id: table } = await writer.putTable(todos);
    const rows = Array.from({ length: 3_000 }, (_, index) => {
      const text = randomBytes(1_500).toString('base64');
      return change(index, [put('a', `${index}`, JSON.stringify({ text }))], { table });
    });
    await writer.write({ rows });
    expect((await storage.sizes()).operations).toBeGreaterThan(3_000_000);
    await storage.clear(deployment, new AbortController().signal);
    expect(await storage.sizes()).toEqual({ current: 0, operations: 0, lookups: 0 });
    await storage.close();
    expect(readFileSync(join(folder, 'data.sqlite')).length).toBeLessThan(1_500_000);
    const database = new DatabaseSync(join(folder, 'data.sqlite'));
    for (const left of ['buckets', 'tables', 'all_places', 'displaced_rows'])
      expect(database.prepare(`SELECT count(*) AS count FROM ${left}`).get()).toEqual({ count: 0 });
    database.close();
  });
});

/** The number of migrations in version 0.2.0. */
const released = 8;

/** Removes everything that later versions have added. */
function takeBack(database: DatabaseSync, version = released): void {
  takePackedBack(database);
  const added = /ALTER TABLE (\w+) ADD COLUMN ("?\w+"?)|CREATE (TABLE|VIEW) (\w+)/g;
  for (const [, table, column, kind, name] of [
    ...migrations.slice(version).join('\n').matchAll(added),
  ].reverse())
    database.exec(
      column === undefined ? `DROP ${kind} ${name}` : `ALTER TABLE ${table} DROP COLUMN ${column}`,
    );
  database.exec(`PRAGMA user_version = ${version}; PRAGMA application_id = 0`);
}

/** Writes the rows in the form that they had before they were packed. */
function takePackedBack(database: DatabaseSync): void {
  const names = new Map(
    database
      .prepare('SELECT id, name FROM buckets')
      .all()
      .map(({ id, name }) => [Number(id), String(name)]),
  );
  const update = database.prepare('UPDATE current_rows SET lists = ?, "check" = ? WHERE id = ?');
  for (const { id, source_table, source_key, packed, row_values } of database
    .prepare('SELECT * FROM current_rows')
    .all()) {
    const lists = writeLists(unpackLists(packed as Uint8Array, (bucket) => names.get(bucket) ?? ''));
    const values = row_values as Uint8Array | null;
    update.run(lists, checkOfRow(Number(source_table), source_key as Uint8Array, lists, values), Number(id));
  }
}

test('statements bind only by position, because ?1 fails in Node before 22.20 and 24.8', () => {
  const sources = sourcesIn('server/service/storage/embedded');
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter(({ text }) => /\?\d/.test(text)).map(({ path }) => path)).toEqual([]);
});
