import { expect, test } from 'vitest';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import {
  add,
  closeTransaction,
  nothingPending,
  store,
} from '../../../../server/service/replication/jobs/pending.ts';
import type { Replication } from '../../../../server/service/replication/jobs/replication.ts';
import type { RowChange } from '../../../../server/service/replication/rows/flush.ts';
import { openRowReports } from '../../../../server/service/replication/rows/rowReports.ts';
import type { ReplicatedTable } from '../../../../server/service/replication/rows/tables.ts';
import type { WriteBatch } from '../../../../server/service/storage/storage.ts';

const table = {
  info: { schema: 'public', name: 'todos', identity: [], identityKind: 'default' },
  stored: { id: 1 },
  codec: { encode: () => undefined },
  evaluate: () => ({ rows: [], entries: [], failures: [] }),
} as unknown as ReplicatedTable;

const change = (
  key: string,
  text = '',
  unchanged?: readonly string[],
): Extract<RowChange, { kind: 'put' }> => ({
  kind: 'put',
  table,
  key,
  row: { values: { id: key, text }, ...(unchanged && { unchanged }) },
});

function start() {
  const batches: WriteBatch[] = [];
  const asked: (readonly string[])[] = [];
  const replication = {
    writer: {
      currentRows: async (_table: number, keys: readonly string[]) => {
        asked.push(keys);
        return keys.map(() => undefined);
      },
      write: async (batch: WriteBatch) => batches.push(batch),
    },
    progress: { stored: () => {} },
    reports: openRowReports(silentLog, systemClock),
  } as unknown as Replication;
  return { asked, batches, replication, pending: nothingPending() };
}

test.each([
  ['there are `rowsAtOnce` of them', ['', '', ''], 3],
  ['they are large', ['x'.repeat(3_000_000), 'x'.repeat(3_000_000)], 100],
])('changes are stored as soon as %s (1)', (_when, texts, rowsAtOnce) => {
  const { pending } = start();
  const times = texts.map((text, index) => add(change(String(index), text), pending, rowsAtOnce));
  expect(times.indexOf(true)).toBe(texts.length - 1);
});

test('a row that omits values counts as a large row (1)', () => {
  const { pending } = start();
  const many = Array.from({ length: 100 }, (_, index) => change(String(index), '', ['body']));
  expect(many.some((each) => add(each, pending, 1000))).toBe(true);
});

test.each([
  ['many', 8000, ''],
  ['large', 1, 'x'.repeat(6_000_000)],
])('a write stays open for the rows that follow, until they are too %s (2)', async (_what, count, text) => {
  const { batches, replication, pending } = start();
  const storeSome = async () => {
    for (let n = 0; n < count; n += 1) add(change(String(n), text), pending, count);
    await store(pending, replication);
  };
  for (let round = 0; round < 4; round += 1) await storeSome();
  expect(batches.map(({ goesOn }) => goesOn)).toEqual([true, true, false, true]);
  closeTransaction(pending);
  for (let round = 0; round < 3; round += 1) await storeSome();
  expect(batches.slice(4).map(({ goesOn }) => goesOn)).toEqual([true, true, false]);
});

test('the stored state of a row that the source has just inserted is not read', async () => {
  const { asked, batches, replication, pending } = start();
  add({ ...change('new'), isInsert: true }, pending, 100);
  add(change('changed'), pending, 100);
  await store(pending, replication);
  expect(asked).toEqual([['changed']]);
  expect(batches[0]?.rows.map(({ key, ifStored }) => [key, ifStored !== undefined])).toEqual([
    ['new', true],
    ['changed', false],
  ]);
});

test('the stored state is read for a row that is inserted and then changed, or deleted and then inserted', async () => {
  const { asked, batches, replication, pending } = start();
  add({ ...change('a'), isInsert: true }, pending, 100);
  add(change('a', 'later'), pending, 100);
  add({ kind: 'remove', table, key: 'b' }, pending, 100);
  add({ ...change('b'), isInsert: true }, pending, 100);
  await store(pending, replication);
  expect(asked).toEqual([['a', 'b']]);
  expect(batches[0]?.rows.map(({ key, ifStored }) => [key, ifStored !== undefined])).toEqual([
    ['a', false],
    ['a', false],
    ['b', false],
  ]);
});

test('nothing is written if nothing is pending', async () => {
  const { batches, replication, pending } = start();
  await store(pending, replication);
  expect(batches).toEqual([]);
});

test('a row of which a part was not sent is remembered after its transaction, until it is handled (3)', async () => {
  const { replication, pending } = start();
  const isMissing = () => pending.missing.map(({ table: { stored } }) => stored.id);
  add(change('a', '', ['body']), pending, 100);
  await store(pending, replication);
  expect(isMissing()).toEqual([1]);
  add(change('b'), pending, 100);
  await store(pending, replication);
  closeTransaction(pending);
  expect(isMissing()).toEqual([1]);
});

test('the problem of a row is stored before the row, so that a stop between the two cannot lose the problem', async () => {
  const { pending, replication } = start();
  const order: string[] = [];
  Object.assign(replication.writer, {
    putRowProblems: async (_table: number, problems: readonly { readonly key: string }[]) =>
      order.push(`problems of ${problems.map(({ key }) => key)}`),
    write: async ({ rows }: WriteBatch) => order.push(`rows ${rows.map(({ key }) => key)}`),
  });
  const tooLarge = change('7');
  add({ ...tooLarge, row: { ...tooLarge.row, failure: 'The row is too large' } }, pending, 10);
  await store(pending, replication);
  expect(order).toEqual(['problems of 7', 'rows 7']);
});
