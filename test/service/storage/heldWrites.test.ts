/** Writes of rows to PostgreSQL that are not finished, over transactions that the test ends. */
import { expect, test } from 'vitest';
import type { Run } from '../../../server/service/storage/postgres/database.ts';
import type { Also } from '../../../server/service/storage/postgres/writer/batchWriter.ts';
import { HeldWrites } from '../../../server/service/storage/postgres/writer/heldWrites.ts';
import type { RowWrite, WriteBatch } from '../../../server/service/storage/storage.ts';
import { turns } from '../../support/service/sourceHistories.ts';

const row = (key: string): RowWrite => ({
  table: 1,
  key,
  ops: [],
  lookups: [],
  current: { values: undefined, memberships: [], lookups: [key] },
});
const batch = (...keys: readonly string[]): WriteBatch => ({ rows: keys.map(row) });
const more = (...keys: readonly string[]): WriteBatch => ({ ...batch(...keys), goesOn: true });
const never: Run = () => Promise.reject(new Error('no statement is expected'));

/** Opens held writes in which two rows fill a transaction. */
function open() {
  const events: string[] = [];
  const endings: { readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  const batches = {
    alone: async <T>(also: Also<T>): Promise<T> => {
      events.push('alone');
      return also(never, 0);
    },
    write: async <T>({ rows }: WriteBatch, also: Also<T>): Promise<T> => {
      const name = rows.map(({ key }) => key).join('');
      events.push(`${name} begins`);
      await new Promise<void>((end, fail) => endings.push({ end, fail }));
      const result = await also(never, 0);
      events.push(`${name} ends`);
      return result;
    },
  };
  const held = new HeldWrites({ maxRecordCount: 2, maxEstimatedSize: 1_000_000 }, batches);
  const end = async () => {
    await turns(2);
    endings.shift()?.end();
    await turns(2);
  };
  const fail = async () => {
    await turns(2);
    endings.shift()?.fail(new Error('lost'));
    await turns(2);
  };
  return { held, events, end, fail };
}

test('rows are written in their order, and one batch at a time (1, 2)', async () => {
  const { held, events, end } = open();
  await held.add(more('a', 'b'));
  expect(events).toEqual(['ab begins']);
  const adding = held.add(more('c', 'd'));
  await turns(2);
  expect(events).toEqual(['ab begins']);
  await end();
  await adding;
  const last = held.add(batch('e'));
  await end();
  await end();
  await last;
  expect(events).toEqual(['ab begins', 'ab ends', 'cd begins', 'cd ends', 'e begins', 'e ends']);
});

test('the current row includes changes that are on their way and changes that are held back (3)', async () => {
  const { held, end } = open();
  await held.add(more('a', 'b'));
  await held.add({ rows: [{ ...row('a'), current: null }], goesOn: true });
  expect(held.current(1, 'a')).toBe('none');
  expect(held.current(1, 'b')).toMatchObject({ key: 'b', lookups: ['b'] });
  expect(held.current(1, 'c')).toBeUndefined();
  expect(held.current(2, 'b')).toBeUndefined();
  const settling = held.settle();
  await end();
  await end();
  await settling;
  expect(held.current(1, 'a')).toBeUndefined();
});

test.each(['on their way', 'held back'])(
  'after rows that were %s are lost, every call fails (4)',
  async (where) => {
    const { held, events, fail } = open();
    await held.add(where === 'held back' ? more('a') : more('a', 'b'));
    const settling = expect(held.settle()).rejects.toThrow('lost');
    await fail();
    await settling;
    expect(held.isLost).toBe(true);
    const written = [...events];
    expect(() => held.demand()).toThrow('lost');
    await expect(held.settle()).rejects.toThrow('lost');
    await expect(held.settleWith(async () => 1)).rejects.toThrow('lost');
    await expect(held.add(batch('c'))).rejects.toThrow('lost');
    await expect(held.discard()).rejects.toThrow('lost');
    expect(events).toEqual(written);
  },
);

test('after a failure that the caller waited for, the caller decides how to continue (4)', async () => {
  const { held, end, fail } = open();
  const adding = expect(held.add(batch('a'))).rejects.toThrow('lost');
  await fail();
  await adding;
  expect(held.isLost).toBe(false);
  const next = held.add(batch('b'));
  await end();
  await next;
});

test('additional work is done in the transaction of the last rows, or alone if there are none (5)', async () => {
  const { held, events, end } = open();
  const also = async () => void events.push('also');
  await held.settleWith(also);
  await held.add(more('a'));
  const settling = held.settleWith(also);
  await end();
  await settling;
  await held.settleWith(also);
  expect(events).toEqual(['alone', 'also', 'a begins', 'also', 'a ends', 'alone', 'also']);
});

test('discarded rows are not written', async () => {
  const { held, events } = open();
  await held.add(more('a'));
  await held.discard();
  await held.settle();
  expect([events, held.current(1, 'a')]).toEqual([[], undefined]);
});
