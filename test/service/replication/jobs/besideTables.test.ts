/** The tables of a copy beside a deployment, over a source in memory and a list of stored tables. */
import { expect, test } from 'vitest';
import { openSyncConfigs } from '../../../../server/service/deployments/syncConfigs.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import { BesidePages, TableReading } from '../../../../server/service/replication/jobs/besidePages.ts';
import { BesideTables } from '../../../../server/service/replication/jobs/besideTables.ts';
import { openPace } from '../../../../server/service/replication/jobs/pace.ts';
import { trackProgress } from '../../../../server/service/replication/jobs/progress.ts';
import type { BesideWork, Replication } from '../../../../server/service/replication/jobs/replication.ts';
import type { RowChange } from '../../../../server/service/replication/rows/flush.ts';
import { openRowReports } from '../../../../server/service/replication/rows/rowReports.ts';
import { newTable, type ReplicatedTable } from '../../../../server/service/replication/rows/tables.ts';
import type { TableInfo } from '../../../../server/service/replication/source.ts';
import type {
  CurrentRow,
  ReplicationWriter,
  StoredTable,
  WriteBatch,
} from '../../../../server/service/storage/storage.ts';
import { createMemorySource } from '../../../support/service/memorySource.ts';
import { tableId } from '../../../support/service/sourceIds.ts';

const contentOf = (...tables: readonly string[]) =>
  `config:\n  edition: 3\nstreams:\n${tables.map((name) => `  s_${name}:\n    query: SELECT id FROM ${name}\n`).join('')}`;

/** Opens the tables of a copy. The added stream reads `notes`. */
async function open(notes: Partial<TableInfo> = {}, servedTables: readonly string[] = ['todos']) {
  const source = createMemorySource();
  source.createTable({ name: 'notes', ...notes });
  const clock = { now: () => 0, steady: () => 0, sleep: async () => {} };
  const configs = openSyncConfigs('public');
  const served = configs.of({ id: 1, content: contentOf(...servedTables) });
  const added = configs.of({ id: 2, content: contentOf('notes') });
  const stored: StoredTable[] = [];
  const rows: CurrentRow[] = [];
  const batches: WriteBatch[] = [];
  const writer: Partial<ReplicationWriter> = {
    tables: async () => [...stored],
    putTable: async (table) => {
      const id = 'id' in table ? table.id : stored.length + 1;
      stored[id - 1] = { ...table, id };
      return { ...table, id };
    },
    deleteTable: async (id) => {
      stored.splice(
        stored.findIndex((table) => table.id === id),
        1,
      );
    },
    someRows: async (_, limit) => rows.splice(0, Math.min(limit, 1)),
    currentRows: async (_, keys) => keys.map(() => undefined),
    write: async (batch) => batches.push(batch),
  };
  const progress = trackProgress(clock, () => {});
  const replication = {
    deploymentName: 's',
    continuity: { origin: undefined },
    source,
    writer,
    evaluator: added.evaluator,
    served: served.evaluator.tables,
    progress,
    reports: openRowReports(silentLog, clock),
    clock,
    log: silentLog,
    signal: new AbortController().signal,
  } as unknown as Replication;
  const pace = openPace(clock);
  const work = {
    id: 2,
    added: added.evaluator,
    addedParts: { names: new Set<string>() },
    pace,
    progress,
  } as unknown as BesideWork;
  const followed: ReplicatedTable[] = [];
  const reasons: string[] = [];
  const tables = new BesideTables(replication, work, {
    onTable: (table) => void followed.push(table),
    giveUp: async (reason) => void reasons.push(reason),
  });
  const pages = new BesidePages(replication, work, tables);
  const [{ table: info } = {}] = await source.tables(added.evaluator.tables);
  if (info === undefined) throw new Error('The source has no table.');
  /** Prepares the tables, and returns the number of chores. */
  const prepare = async (): Promise<number> => {
    let chores = 0;
    while (!tables.isPrepared) {
      for await (const chore of tables.prepare(replication.signal)) {
        chores += 1;
        await chore();
      }
    }
    return chores;
  };
  return { source, tables, pages, info, stored, rows, batches, followed, reasons, prepare };
}

test('a table that only the added parts need is followed and copied', async () => {
  const { tables, stored, followed, prepare } = await open();
  await prepare();
  expect(followed.map(({ isBeside }) => isBeside)).toEqual([true]);
  expect(tables.next()?.stored.id).toBe(1);
  expect(stored[0]?.beside).toMatchObject({ deployment: 2, copied: false });
  expect(await tables.finish()).toBe(false);
});

test('a table that the stream copies completely is not copied here (1)', async () => {
  const { tables, info, stored, prepare } = await open();
  stored.push({ ...newTable(info), id: 1 });
  await prepare();
  const [record] = stored;
  if (record === undefined) throw new Error('Nothing is stored.');
  tables.hasWhole(record);
  expect(tables.next()).toBeUndefined();
  expect(await tables.finish()).toBe(true);
});

test('the stream copies a table that served streams also read, and the copy waits for it (1)', async () => {
  const { tables, info, stored, prepare } = await open({}, ['notes']);
  await prepare();
  expect([tables.isWaiting, await tables.finish()]).toEqual([true, false]);
  stored.push({ ...newTable(info), id: 1 });
  expect([tables.isWaiting, await tables.finish()]).toEqual([true, false]);
  stored[0] = { ...newTable(info), id: 1, copied: true };
  expect([await tables.finish(), tables.isWaiting]).toEqual([true, false]);
});

test('a table that is added or removed makes the copy incomplete (2)', async () => {
  const { tables, info, stored, prepare } = await open();
  await prepare();
  const table = tables.next();
  if (table === undefined) throw new Error('There is nothing to copy.');
  table.state = { ...table.state, copied: true };
  expect(await tables.finish()).toBe(true);
  tables.leave(table.stored.id);
  expect([tables.isFinished, table.isGone]).toEqual([false, true]);
  expect(await tables.finish()).toBe(true);
  await tables.take({ ...info, sourceId: tableId(info.sourceId + 1) }, undefined);
  expect([tables.isFinished, await tables.finish(), stored.length]).toEqual([false, false, 2]);
});

test('a lookup changes no table that the stream has reported meanwhile (3)', async () => {
  const { tables, info, stored, followed, prepare } = await open();
  await tables.take(info, undefined);
  const known = tables.next();
  await prepare();
  expect([tables.next(), followed.length, stored.length]).toEqual([known, 1, 1]);
});

test('outdated rows are deleted some at a time, before the table is followed (4)', async () => {
  const { info, stored, rows, batches, followed, prepare } = await open();
  // These rows were stored for a config that was given up.
  stored.push({ ...newTable(info), id: 1, beside: { deployment: 7, copied: true } });
  for (const key of ['a', 'b', 'c']) rows.push({ key, values: undefined, memberships: [], lookups: [] });
  const chores = await prepare();
  expect(chores).toBeGreaterThan(4);
  expect(batches.map((batch) => batch.rows.map(({ key, current }) => [key, current]))).toEqual([
    [['a', null]],
    [['b', null]],
    [['c', null]],
  ]);
  expect(stored.map(({ beside }) => beside?.deployment)).toEqual([2]);
  expect(followed).toHaveLength(1);
});

test('a table whose rows cannot be distinguished is not copied here (5)', async () => {
  const { tables, stored, reasons, prepare } = await open({ identityKind: 'nothing' });
  await prepare();
  expect(reasons).toEqual(['rows of public.notes cannot be distinguished.']);
  expect([tables.next(), stored]).toEqual([undefined, []]);
});

test('a page leaves out the rows that the stream has changed, by their old and new keys', async () => {
  const { tables, pages, batches, followed, prepare } = await open();
  await prepare();
  const [table, copied] = [followed[0], tables.next()];
  if (table === undefined || copied === undefined) throw new Error('There is nothing to copy.');
  const reading = new TableReading(copied, table);
  const keyOf = (id: string) => table.keyOf({ id });
  const put = { kind: 'put', table, row: { values: {} } } as const;
  const changes: readonly RowChange[] = [
    { ...put, key: keyOf('b'), oldKey: keyOf('a') },
    { kind: 'remove', table, key: keyOf('c') },
  ];
  for (const change of changes) reading.touch(change);
  expect(reading.touchedRows).toBe(3);
  const position = await (await open()).source.position();
  const page = { rows: ['a', 'b', 'c', 'd'].map((id) => ({ id })), failed: [], progress: { copiedRows: 4 } };
  await pages.write(page, position, reading);
  expect(batches.map(({ rows, goesOn }) => [rows.map(({ key }) => key), goesOn])).toEqual([
    [[keyOf('d')], true],
  ]);
  // The progress that is stored with the page also counts the rows that are left out.
  expect(batches[0]?.progress?.beside?.progress).toEqual({ copiedRows: 4 });
});

test('the last page and a pause make pages durable', async () => {
  const { source, tables, pages, batches, followed, prepare } = await open();
  await prepare();
  const [table, copied] = [followed[0], tables.next()];
  if (table === undefined || copied === undefined) throw new Error('There is nothing to copy.');
  const position = await source.position();
  const page = { rows: [{ id: 'a' }], failed: [], progress: { copiedRows: 1 } };
  const reading = new TableReading(copied, table);
  await pages.write(page, position, reading);
  await pages.settle();
  await pages.write({ ...page, position }, position, reading);
  expect(batches.map(({ goesOn }) => goesOn)).toEqual([true, undefined, false]);
  expect(copied.state).toMatchObject({ copied: true, readUpTo: position });
});

test.each([
  ['rows', 20_000, ''],
  ['bytes', 1, 'x'.repeat(9_000_000)],
])('many %s of several pages become durable together (3)', async (_what, rowsPerPage, text) => {
  const { source, tables, pages, batches, followed, prepare } = await open();
  await prepare();
  const [table, copied] = [followed[0], tables.next()];
  if (table === undefined || copied === undefined) throw new Error('There is nothing to copy.');
  const rows = Array.from({ length: rowsPerPage }, (_, number) => ({ id: `n${number}`, text }));
  const page = { rows, failed: [], progress: { copiedRows: rowsPerPage } };
  const reading = new TableReading(copied, table);
  for (let round = 0; round < 3; round += 1) await pages.write(page, await source.position(), reading);
  expect(batches.map(({ goesOn }) => goesOn)).toEqual([true, false, true]);
});

test('a reading is stale after its table was emptied or removed', async () => {
  const { tables, followed, prepare } = await open();
  await prepare();
  const [table, copied] = [followed[0], tables.next()];
  if (table === undefined || copied === undefined) throw new Error('There is nothing to copy.');
  const [emptied, gone] = [new TableReading(copied, table), new TableReading(copied, table)];
  emptied.interrupt();
  expect([emptied.isStale, gone.isStale]).toEqual([true, false]);
  tables.leave(copied.stored.id);
  expect(gone.isStale).toBe(true);
});
