import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  openTransactions,
  type Transactions,
} from '../../../server/service/storage/embedded/transactions.ts';
import { untilTrue } from '../../support/house/eventually.ts';

describe('transactions of the embedded storage', () => {
  let folder: string;
  let writing: DatabaseSync;
  let reading: DatabaseSync;
  let transactions: Transactions;
  let rollbacks = 0;
  let flush: () => Promise<void>;

  beforeEach(() => {
    flush = async () => {};
    folder = mkdtempSync(join(tmpdir(), 'headwater-transactions-'));
    writing = new DatabaseSync(join(folder, 'data.sqlite'));
    // COMMIT refuses a row without its parent, as it may fail on a full disk.
    writing.exec(`PRAGMA journal_mode = WAL; CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE rows (id INTEGER PRIMARY KEY,
        parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`);
    reading = new DatabaseSync(join(folder, 'data.sqlite'), { readOnly: true });
    rollbacks = 0;
    transactions = openTransactions(writing, {
      demand: () => {},
      flush: () => flush(),
      onRollback: () => {
        rollbacks += 1;
      },
      toFailure: (error) => error,
    });
  });
  afterEach(() => {
    reading.close();
    writing.close();
    rmSync(folder, { recursive: true });
  });

  const insert = (id: number) => () => {
    writing.prepare('INSERT INTO rows (id) VALUES (?)').run(id);
  };
  const insertOrphan = () => writing.exec('INSERT INTO rows (id, parent) VALUES (99, 1)');
  const fail = () => {
    throw new Error('no');
  };
  const durable = () =>
    reading
      .prepare('SELECT id FROM rows ORDER BY id')
      .all()
      .map(({ id }) => id);

  test('pieces of a series become durable together', async () => {
    const series = transactions.series();
    await series.run(insert(1), 'open');
    await series.run(insert(2), 'open');
    expect(durable()).toEqual([]);
    await series.run(insert(3), 'durable');
    expect(durable()).toEqual([1, 2, 3]);
  });

  test('a piece that only reads leaves the transaction as it was', async () => {
    const series = transactions.series();
    await series.run(() => {}, 'as before');
    expect(writing.isTransaction).toBe(false);
    await series.run(insert(1), 'open');
    await series.run(() => {}, 'as before');
    expect(durable()).toEqual([]);
    expect(writing.isTransaction).toBe(true);
  });

  test('work of others commits an open transaction, even if that work fails', async () => {
    const series = transactions.series();
    await series.run(insert(1), 'open');
    await expect(transactions.run(fail)).rejects.toThrow('no');
    expect(durable()).toEqual([1]);
    await series.run(insert(2), 'open');
    await transactions.series().run(insert(3), 'open');
    expect(durable()).toEqual([1, 2]);
    await series.run(insert(4), 'durable');
    expect(durable()).toEqual([1, 2, 3, 4]);
  });

  test('finishing commits an open transaction', async () => {
    await transactions.series().run(insert(1), 'open');
    await transactions.finish();
    expect(durable()).toEqual([1]);
  });

  test('a piece that fails rolls back the earlier ones, and every later one fails', async () => {
    const series = transactions.series();
    await series.run(insert(1), 'open');
    await expect(series.run(fail, 'open')).rejects.toThrow('no');
    await expect(series.run(insert(2), 'durable')).rejects.toThrow('no');
    expect(durable()).toEqual([]);
    expect(rollbacks).toBe(1);
  });

  test('a first piece that fails rolls nothing back, and the next one may succeed', async () => {
    const series = transactions.series();
    await expect(series.run(fail, 'open')).rejects.toThrow('no');
    await series.run(insert(2), 'durable');
    expect(durable()).toEqual([2]);
  });

  test('a series that loses its pieces when others commit them fails, and the others do not', async () => {
    const series = transactions.series();
    await series.run(insertOrphan, 'open');
    await transactions.run(insert(1));
    expect(durable()).toEqual([1]);
    await expect(series.run(insert(2), 'durable')).rejects.toThrow(/FOREIGN KEY/);
    await expect(series.run(() => {}, 'as before')).rejects.toThrow(/FOREIGN KEY/);
    expect(durable()).toEqual([1]);
    expect(rollbacks).toBe(1);
  });

  test('writes that pieces defer are made in the same transaction, whichever caller ends it', async () => {
    let left: number[] = [];
    const add = (id: number) => () => void left.push(id);
    const series = transactions.series({
      write: () => {
        for (const id of left.splice(0)) insert(id)();
      },
      drop: () => {
        left = [];
      },
    });
    await series.run(add(1), 'open');
    await series.run(add(2), 'open');
    expect(durable()).toEqual([]);
    await transactions.run(insert(3));
    expect(durable()).toEqual([1, 2, 3]);
    await series.run(add(4), 'durable');
    expect(durable()).toEqual([1, 2, 3, 4]);
    await series.run(add(5), 'open');
    await transactions.finish();
    expect(durable()).toEqual([1, 2, 3, 4, 5]);
    await expect(series.run(() => [add(6)(), fail()], 'durable')).rejects.toThrow('no');
    await series.run(add(7), 'durable');
    expect(durable()).toEqual([1, 2, 3, 4, 5, 7]);
    await series.run(add(8), 'open');
    await series.run(add(1), 'open');
    await transactions.run(insert(9));
    await expect(series.run(add(10), 'durable')).rejects.toThrow(/UNIQUE/);
    expect(durable()).toEqual([1, 2, 3, 4, 5, 7, 9]);
    expect(left).toEqual([]);
  });

  test('long work keeps others waiting', async () => {
    const series = transactions.series();
    let finish = () => {};
    const long = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = series.run(() => long, 'open');
    const second = transactions.run(insert(2));
    finish();
    await Promise.all([first, second]);
    expect(durable()).toEqual([2]);
  });

  describe('with a log that is flushed after COMMIT', () => {
    let end: (error?: Error) => void;
    let flushes = 0;
    beforeEach(() => {
      flushes = 0;
      flush = () => {
        flushes += 1;
        return new Promise((resolve, reject) => {
          end = (error) => (error === undefined ? resolve() : reject(error));
        });
      };
    });
    const begun = (count: number) => untilTrue(() => flushes === count);

    test('a transaction resolves after the flush, and the next one begins after it', async () => {
      const order: string[] = [];
      const first = transactions.run(insert(1)).then(() => order.push('first'));
      const second = transactions
        .run(() => {
          order.push('second begins');
          insert(2)();
        })
        .then(() => order.push('second'));
      await begun(1);
      expect(transactions.flushing()).toBeDefined();
      expect(order).toEqual([]);
      end();
      await begun(2);
      end();
      await Promise.all([first, second]);
      expect(order).toEqual(['first', 'second begins', 'second']);
      expect(transactions.flushing()).toBeUndefined();
    });

    test('work that waits for a flush continues before the next COMMIT', async () => {
      const first = transactions.run(insert(1));
      const second = transactions.run(insert(2));
      await begun(1);
      const seen = transactions.flushing()?.then(() => [durable(), transactions.flushing()]);
      end();
      expect(await seen).toEqual([[1], undefined]);
      await begun(2);
      end();
      await Promise.all([first, second]);
    });

    test('a piece that has only read is not flushed', async () => {
      await transactions.series().run(() => {}, 'as before');
      expect(flushes).toBe(0);
      expect(writing.isTransaction).toBe(false);
    });

    test('an open transaction is flushed before work of others', async () => {
      const series = transactions.series();
      await series.run(insert(1), 'open');
      expect(flushes).toBe(0);
      const other = transactions.run(insert(2));
      await begun(1);
      expect(durable()).toEqual([1]);
      end();
      await begun(2);
      end();
      await other;
      expect(durable()).toEqual([1, 2]);
    });

    test('a transaction fails if its flush does, and data in memory is doubted', async () => {
      const failing = transactions.run(insert(1));
      await begun(1);
      end(new Error('the disk'));
      await expect(failing).rejects.toThrow('the disk');
      expect(rollbacks).toBe(1);
      expect(transactions.flushing()).toBeUndefined();
    });
  });
});
