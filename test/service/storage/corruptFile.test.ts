/** Damages each kind of page and each file of a storage in turn: nothing wrong is read, and the deployed config is never lost. */
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jsonOfChunk } from '../../../server/service/storage/chunks.ts';
import { readDeploymentCopy } from '../../../server/service/storage/embedded/deploymentCopy.ts';
import {
  openEmbeddedStorage,
  openOrRecoverStorage,
} from '../../../server/service/storage/embedded/storage.ts';
import type { Storage } from '../../../server/service/storage/storage.ts';
import { StorageFailure } from '../../../server/service/storage/storageFailure.ts';
import { recordLog } from '../../support/processes/http.ts';
import { createManualClock } from '../../support/service/manualClock.ts';
import {
  activated,
  change,
  commit,
  deploy,
  key,
  positionAt,
  put,
  readAll,
  todos,
  writerOf,
} from './contract/rig.ts';

const pageSize = 16_384;
const content = 'streams: {current: {query: SELECT * FROM todos}}';
const rows = 1_200;
const buckets = Array.from({ length: 400 }, (_, index) => `b${index}`);

type Damage = (page: Buffer) => void;

const flip =
  (at: number, bit: number): Damage =>
  (page) => {
    page.writeUInt8(page.readUInt8(at) ^ (1 << bit), at);
  };

/** A page of a tree begins with its kind, the number of its cells, and the places of the cells. */
const pageDamages: readonly (readonly [string, Damage])[] = [
  ['is full of zeros', (page) => page.fill(0)],
  ['is full of other bytes', (page) => page.fill(0xa5)],
  ['has another kind', flip(0, 3)],
  ['has a cell more or less', flip(4, 0)],
  ['has its first cell at another place', flip(9, 2)],
];

/** The outcome of opening and reading a damaged storage. */
type Outcome =
  /** Everything is as it was. */
  | 'right'
  /** Reading fails with the code of a corrupt storage. */
  | 'refused'
  /** The log reports a corrupt storage, and the deployed config is copied again. */
  | 'copied again';

describe('a storage', () => {
  let folder: string;
  let data: string;
  let sound: string;
  let rightAnswer: unknown;
  let instanceId: string;
  const file = (rest = '') => join(data, `data.sqlite${rest}`);
  const copy = () => join(data, 'deployments.json');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-corrupt-'));
    [data, sound] = [join(folder, 'data'), join(folder, 'sound')];
    const storage = await openEmbeddedStorage(data, { log: recordLog() });
    instanceId = storage.instanceId;
    await fill(storage);
    await storage.close();
    leaveFreePages(file());
    cpSync(data, sound, { recursive: true });
    const again = await openEmbeddedStorage(data, { log: recordLog() });
    rightAnswer = await readEverything(again);
    await again.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(restore);

  function restore(): void {
    rmSync(data, { recursive: true, force: true });
    cpSync(sound, data, { recursive: true });
  }

  async function outcome(): Promise<Outcome> {
    const log = recordLog();
    const storage = await openOrRecoverStorage(data, { log, clock: createManualClock() });
    if (aboutCorruption(log).length > 0) {
      await expectRecovery(storage);
      return 'copied again';
    }
    try {
      expect(await readEverything(storage)).toEqual(rightAnswer);
      return 'right';
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
      expect(error.message).toMatch(/\[SVC_S2403\] The storage .*is corrupt/);
      return 'refused';
    } finally {
      await storage.close();
    }
  }

  /** The config is pending in a storage that works, and no number is given twice. */
  async function expectRecovery(storage: Storage): Promise<void> {
    const records = await storage.deployments.all();
    const pending = records.filter(({ state }) => state === 'processing');
    expect(pending).toMatchObject([{ content, reason: expect.stringContaining('is corrupt') }]);
    expect(records.filter(({ state }) => state !== 'stopped' && state !== 'terminated')).toEqual(pending);
    const [{ id = 0, deploymentName = '' } = {}] = pending;
    expect(id).toBeGreaterThan(2);
    expect(records.filter((record) => record.deploymentName === deploymentName)).toHaveLength(1);
    expect(storage.instanceId).toBe(instanceId);
    const writer = await writerOf(storage, id);
    expect(await writer.write({ rows: [change(1, [put('a', 'x')])] })).toBeGreaterThan(rows + 300);
    await storage.close();
  }

  test.each(pageDamages)('of which a page of any kind %s is replaced, or right', async (_, damage) => {
    const outcomes = new Map<string, Outcome>();
    for (const [kind, number] of pagesOf(file())) {
      restore();
      const bytes = readFileSync(file());
      // The first page begins with the head of the file.
      damage(bytes.subarray((number - 1) * pageSize + (number === 1 ? 100 : 0), number * pageSize));
      writeFileSync(file(), bytes);
      outcomes.set(kind, await outcome());
    }
    // Nothing reads a free page, and an empty one has no first cell. SQLite does not look at the bytes of long rows; their own
    // checksums do.
    const unread = ['free leaf', 'runs overflow', 'row_places leaf', 'requested_write_checkpoints leaf'];
    expect([...outcomes].filter(([kind, end]) => end !== 'copied again' && !unread.includes(kind))).toEqual(
      [],
    );
    expect(outcomes.size).toBeGreaterThan(25);
  });

  test('with any bit of its head flipped is replaced, or right', async () => {
    const seen = new Set<Outcome>();
    // The fields that SQLite reads: sizes, formats, versions, lists of pages, and both versions of the storage.
    const flips = [0, 16, 17, 18, 19, 20, 21, 31, 35, 39, 47, 55, 59, 63, 71].map((at) => flip(at, 1));
    for (const damage of [...flips, flip(18, 2), flip(19, 2)]) {
      restore();
      const bytes = readFileSync(file());
      damage(bytes);
      writeFileSync(file(), bytes);
      seen.add(await outcome());
    }
    expect(seen).not.toContain('refused');
  });

  test.each([
    ['deployments', 'state', `'actiwe'`],
    ['deployments', 'content', `replace(content, 'SELECT *', 'SELECT +')`],
    ['deployments', 'last_checkpoint', 'last_checkpoint + 64'],
    ['deployments', 'slot_name', `'other'`],
    ['tables', 'copied', '1 - copied'],
    ['tables', 'name', `'tasks'`],
    ['instance', 'last_op', 'last_op - 64'],
  ])('of which %s.%s has another value is replaced', async (table, column, value) => {
    const database = new DatabaseSync(file());
    database.exec(`UPDATE ${table} SET ${column} = ${value}`);
    database.close();
    expect(await outcome()).toBe('copied again');
  });

  test.each([
    ['is full of zeros', () => writeFileSync(file(), Buffer.alloc(statSync(file()).size))],
    ['is empty', () => truncateSync(file(), 0)],
    ['is missing', () => rmSync(file())],
    ['has only its first page', () => truncateSync(file(), pageSize)],
    ['lost its second half', () => truncateSync(file(), statSync(file()).size >> 1)],
    ['is a text', () => writeFileSync(file(), 'not a database\n'.repeat(5_000))],
    ['is zeros after its first page', () => zero(file(), pageSize)],
  ])('whose file %s is replaced', async (_, damage) => {
    damage();
    expect(await outcome()).toBe('copied again');
  });

  test('that was replaced is sound at the next start, and the corrupt file is still there', async () => {
    zero(file(), pageSize);
    expect(await outcome()).toBe('copied again');
    const log = recordLog();
    const storage = await openOrRecoverStorage(data, { log, clock: createManualClock() });
    expect((await storage.deployments.all()).at(-1)).toMatchObject({ state: 'processing', content });
    await storage.close();
    expect(aboutCorruption(log)).toEqual([]);
    expect(readFileSync(file('-corrupt')).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  test('keeps a copy of its records while several change at once', async () => {
    const log = recordLog();
    const storage = await openEmbeddedStorage(data, { log });
    await Promise.all(Array.from({ length: 20 }, () => deploy(storage)));
    const { length } = await storage.deployments.all();
    await storage.close();
    expect(log.lines.filter(({ message }) => message.includes('copy'))).toEqual([]);
    expect(readDeploymentCopy(data)).toMatchObject({ lastId: length });
  });

  describe('that was not closed', () => {
    /** The last deploy is only in SQLite's log, as after a power cut. */
    beforeEach(async () => {
      const storage = await openEmbeddedStorage(data, { log: recordLog() });
      await storage.deployments.change(() => [
        {
          kind: 'insert',
          content: newest,
          storageVersion: 2,
          deploymentNameOf: (id) => `slot_${id}_abcd`,
          at: 2_000,
        },
      ]);
      const taken = ['', '-wal'].map((rest) => [rest, readFileSync(file(rest))] as const);
      await storage.close();
      for (const [rest, bytes] of taken) writeFileSync(file(rest), bytes);
    });
    const newest = 'streams: {newest: {}}';
    const pendingContents = async () => {
      const storage = await openOrRecoverStorage(data, { log: recordLog(), clock: createManualClock() });
      const records = await storage.deployments.all();
      await storage.close();
      const pending = records.filter(({ state }) => state === 'processing');
      // All slots of a storage end in the same way.
      expect(pending.map(({ deploymentName }) => deploymentName)).toEqual(
        pending.map(({ id }) => `slot_${id}_abcd`),
      );
      return pending.map((record) => record.content);
    };

    test.each([
      ['is sound', () => {}],
      ['is missing', () => rmSync(file('-wal'))],
      ['is full of zeros', () => zero(file('-wal'), 0)],
      ['is zeros after its head', () => zero(file('-wal'), 32)],
      ['lost its second half', () => truncateSync(file('-wal'), statSync(file('-wal')).size >> 1)],
      ['lost its last byte', () => truncateSync(file('-wal'), statSync(file('-wal')).size - 1)],
    ])('and whose log %s still has the last deployed config', async (_, damage) => {
      damage();
      expect(await pendingContents()).toEqual([newest]);
    });
  });

  test.each([
    ['suspecting the file', () => {}],
    ['moving the log away', () => renameSync(file('-wal'), file('-corrupt-wal'))],
    [
      'moving the file away',
      () => {
        cpSync(file(), file('-recovered'));
        renameSync(file(), file('-corrupt'));
      },
    ],
  ])('is replaced by the next start if the process ends after %s', async (_, step) => {
    writeFileSync(file('-suspect'), '');
    writeFileSync(file('-wal'), '');
    step();
    const storage = await openOrRecoverStorage(data, { log: recordLog(), clock: createManualClock() });
    const contents = (await storage.deployments.all()).map((record) => record.content);
    await storage.close();
    expect(contents).toContain(content);
    expect(statSync(file('-suspect'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('whose deployed config is lost says so until something is deployed', async () => {
    zero(file(), 0);
    writeFileSync(copy(), '{}');
    const log = recordLog();
    const storage = await openOrRecoverStorage(data, { log, clock: createManualClock() });
    expect(aboutCorruption(log)).toEqual([['error', storage.lostConfig]]);
    expect(storage.lostConfig).toMatch(/was corrupt.*Deploy the sync config again/);
    await storage.close();
  });

  test('of another program is left alone', async () => {
    for (const rest of ['', '-wal', '-shm']) rmSync(file(rest), { force: true });
    const database = new DatabaseSync(file());
    database.exec('CREATE TABLE theirs (x)');
    database.close();
    const before = readFileSync(file());
    await expect(outcome()).rejects.toMatchObject({
      kind: 'other',
      message: expect.stringContaining('another program'),
    });
    expect(readFileSync(file()).subarray(pageSize >> 2)).toEqual(before.subarray(pageSize >> 2));
  });

  describe('that becomes corrupt while it is open', () => {
    test('says so once, refuses what it cannot read, and is replaced by the next start', async () => {
      const failures: StorageFailure[] = [];
      const storage = await openOrRecoverStorage(
        data,
        { log: recordLog(), clock: createManualClock() },
        { onUnusable: (failure) => failures.push(failure) },
      );
      zero(file(), pageSize);
      await expect(readEverything(storage)).rejects.toMatchObject({ kind: 'corrupt' });
      await expect(readEverything(storage)).rejects.toMatchObject({ kind: 'corrupt' });
      expect(failures).toHaveLength(1);
      expect(failures[0]?.answer.code).toBe('SVC_S2403');
      await storage.close();
      expect(await outcome()).toBe('copied again');
    });

    test('is replaced if another process reports it', async () => {
      const failures: StorageFailure[] = [];
      const storage = await openOrRecoverStorage(
        data,
        { log: recordLog(), clock: createManualClock() },
        { onUnusable: (failure) => failures.push(failure) },
      );
      storage.distrust?.('[SVC_S2403] The storage is corrupt.');
      storage.distrust?.('[SVC_S2403] The storage is corrupt.');
      expect(failures).toHaveLength(1);
      await storage.close();
      expect(await outcome()).toBe('copied again');
    });
  });
});

function aboutCorruption(log: ReturnType<typeof recordLog>): readonly (readonly [string, string])[] {
  const lines = log.lines.filter(({ message }) => message.includes('S2403'));
  return lines.map(({ level, message }) => [level, message]);
}

/** Every table and index has rows, some of several levels; there are long rows and free pages. */
async function fill(storage: Storage): Promise<void> {
  const { deployment: former, writer: formerWriter } = await activated(storage);
  const texts = Array.from({ length: 300 }, (_, index) => put('former', `${index}`, textOf(index, 30)));
  await formerWriter.write({ rows: [change(1, texts)] });
  await formerWriter.release();
  const deployment = await deploy(storage, content);
  const writer = await writerOf(storage, deployment);
  const { id: table } = await writer.putTable(todos);
  await writer.write({
    rows: Array.from({ length: rows }, (_, index) => {
      const lookup = `["lookup",${index}]`;
      const ops = [
        put(`b${index % buckets.length}`, `row ${index}`, textOf(index, index % 300 === 0 ? 900 : 2)),
      ];
      const written = change(index, ops, { table, lookups: [{ lookup, values: [[textOf(index, 2)]] }] });
      const values = new TextEncoder().encode(textOf(index, 3));
      return {
        ...written,
        ...(written.current && { current: { ...written.current, values, lookups: [lookup] } }),
      };
    }),
  });
  await writer.finishSnapshot(positionAt(5));
  await commit(writer, 6, deployment);
  for (let index = 0; index < 20; index += 1)
    await storage.writeCheckpoints.create(`user ${index}`, positionAt(6));
  await storage.clear(former, new AbortController().signal);
}

function leaveFreePages(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE gone (x); INSERT INTO gone VALUES (zeroblob(200000)); DROP TABLE gone');
  database.close();
}

/** Does not get shorter if it is compressed. */
function textOf(index: number, times: number): string {
  const part = (number: number) => createHash('sha256').update(`${index} ${number}`).digest('hex');
  return `"${Array.from({ length: times }, (_, number) => part(number)).join('')}"`;
}

async function readEverything(storage: Storage): Promise<unknown> {
  const deployment = (await storage.deployments.all()).find(({ state }) => state === 'active');
  const reader = storage.reader(deployment?.id ?? 0);
  const { opId = 0 } = (await reader.checkpoint()) ?? {};
  const keys = Array.from({ length: rows }, (_, index) => key(index));
  const lookups = Array.from({ length: rows }, (_, index) => `["lookup",${index}]`);
  const contents = storage.stored(deployment?.id ?? 0);
  const tables = await contents.tables();
  return digestsOf({
    deployment,
    tables,
    sums: await reader.checksums(opId, buckets),
    texts: (await readAll(reader, opId, buckets)).map(jsonOfChunk),
    lookups: await reader.lookups(opId, lookups, 10_000),
    rows: await contents.currentRows(tables[0]?.id ?? 0, keys),
  });
}

function digestsOf(parts: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(parts).map(([name, part]) => [
    name,
    createHash('sha256')
      .update(JSON.stringify(part, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
      .digest('hex'),
  ]);
}

function zero(path: string, from: number): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, from));
}

/** One page of each kind, with its number: for each table and index the pages of each level. */
function pagesOf(path: string): ReadonlyMap<string, number> {
  const database = new DatabaseSync(path, { readOnly: true });
  const pages = new Map<string, number>([
    ['head', 1],
    ['map of pages', 2],
  ]);
  for (const { name, pagetype, pageno } of database
    .prepare('SELECT name, pagetype, pageno FROM dbstat ORDER BY pageno DESC')
    .all())
    pages.set(`${name} ${pagetype}`, Number(pageno));
  database.close();
  const head = readFileSync(path);
  const trunk = head.readUInt32BE(32);
  pages.set('free trunk', trunk);
  pages.set('free leaf', head.readUInt32BE((trunk - 1) * pageSize + 8));
  return pages;
}
