import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../../server/service/ground/log.ts';
import { openBuckets, type WrittenBuckets } from '../../../server/service/storage/embedded/buckets.ts';
import { clearRows } from '../../../server/service/storage/embedded/clearing/clearRows.ts';
import { openCurrentRows } from '../../../server/service/storage/embedded/currentRows.ts';
import { type Database, openDatabase } from '../../../server/service/storage/embedded/database.ts';
import { rememberPlaces } from '../../../server/service/storage/embedded/places/seenPlaces.ts';
import { gatherPlaces } from '../../../server/service/storage/embedded/places/waitingPlaces.ts';
import { bytesOfKey, placesOf, rowPlaceOf } from '../../../server/service/storage/embedded/rowKeys.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import { openStored } from '../../../server/service/storage/embedded/stored.ts';
import type { RowWrite, Storage } from '../../../server/service/storage/storage.ts';
import { randomFrom } from '../../differential/random.ts';
import { activated, change, key, put, todos } from './contract/rig.ts';

describe('places of rows', () => {
  let folder: string;
  let database: Database;
  let buckets: WrittenBuckets;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-places-'));
    database = openDatabase(folder, { hasZstd: true, onUnusable: () => {} });
    buckets = openBuckets(database, 1);
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const rowOf = (value: number) => ({
    values: undefined,
    memberships: [{ bucket: 'a', type: 'todos', id: `${value}` }],
    lookups: [],
  });
  const placesIn = (sql: string) =>
    database.read(() => database.reading.prepareRows(sql).all() as unknown as readonly number[][]);

  /** Demands exactly one place for every row, in one of the trees. */
  const demandOneOfEach = async () => {
    const both = 'SELECT place FROM row_places INTERSECT SELECT place FROM new_places';
    expect(await placesIn(both)).toEqual([]);
    const all = 'SELECT row FROM all_places UNION ALL SELECT row FROM displaced_rows ORDER BY 1';
    expect(await placesIn(all)).toEqual(await placesIn('SELECT id FROM current_rows ORDER BY 1'));
  };

  test('a change that leaves a row in its buckets writes nothing for the row', async () => {
    const rows = openCurrentRows(database, buckets);
    const written = () => placesIn('SELECT hex(packed) FROM current_rows');
    const changesOf = (value: number) =>
      database.transaction(() => {
        const count = () =>
          database.writing.prepareRows('SELECT total_changes()').get() as unknown as [number];
        const [before] = count();
        rows.put(1, bytesOfKey(key(1)), rowOf(value));
        return count()[0] - before;
      });
    expect(await changesOf(1)).toBeGreaterThan(0);
    const first = await written();
    expect(await changesOf(1)).toBe(0);
    expect(await written()).toEqual(first);
    expect(await changesOf(2)).toBe(1);
    expect(await written()).not.toEqual(first);
  });

  test('rows that are written while another table is cleared get the numbers of its rows, and are kept', async () => {
    const rows = openCurrentRows(database, buckets);
    const put = (table: number) =>
      database.transaction(() => {
        rows.begin();
        for (let n = 0; n < 40; n += 1) rows.put(table, bytesOfKey(key(n)), rowOf(n));
      });
    const rowsOf = (table: number) =>
      placesIn(`SELECT id FROM current_rows WHERE source_table = ${table} ORDER BY id`);
    await put(1);
    const before = await rowsOf(1);
    let pieces = 0;
    const repeat = async (step: () => boolean) => {
      await database.transaction(() => {
        while (step());
      });
      pieces += 1;
      // The rows are gone, but their places are not.
      if (pieces === 1) await put(2);
    };
    const { read, transaction } = database;
    await clearRows(
      database,
      1,
      { read: (work) => read(() => work(() => false)), transaction, repeat },
      undefined,
    );
    expect(await rowsOf(1)).toEqual([]);
    expect(await rowsOf(2)).toEqual(before);
    await demandOneOfEach();
  });

  test.each(['as rows of a copy', 'as changes'])(
    'are found in both trees, whatever is written, rolled back or moved: %s',
    async (how) => {
      const { int: random } = randomFrom(how.length);
      // Every three consecutive rows have the same place.
      const count = 60;
      const expected = new Map<string, number>();
      let durable = new Map<string, number>();
      let rows = openCurrentRows(database, buckets, 8);
      let series = database.series(rows);
      const stored = openStored(database, 1, buckets.nameOf);
      for (let round = 0; round < 250; round += 1) {
        const fails = random(10) === 0;
        const goesOn = random(3) > 0;
        const work = () => {
          rows.begin();
          if (how === 'as rows of a copy') rows.beginCopy(1);
          const many = random(6);
          for (let n = 0; n < many; n += 1) {
            const [name, value] = [key(random(count)), random(1_000)];
            const kind = random(8);
            if (kind === 0) {
              rows.delete(1, bytesOfKey(name));
              expected.delete(name);
            } else if (kind < 4) {
              expect(rows.insert(1, bytesOfKey(name), rowOf(value))).toBe(!expected.has(name));
              if (!expected.has(name)) expected.set(name, value);
            } else {
              rows.put(1, bytesOfKey(name), rowOf(value));
              expected.set(name, value);
            }
          }
          const name = key(random(count));
          const there = expected.has(name) ? `${expected.get(name)}` : undefined;
          if (random(3) === 0) expect(rows.get(1, name)?.memberships[0]?.id).toBe(there);
          if (random(20) === 0) {
            // The rows were not removed, but may be returned only once.
            const some = rows.some(1, 1_000);
            expect(some.length > 0).toBe(expected.size > 0);
            expect(some.map((row) => Number(row.memberships[0]?.id))).toEqual(
              some.map((row) => expected.get(row.key)),
            );
          }
          if (random(20) === 0) rows.endCopy(1);
          rows.moveOn();
          if (fails) throw new Error('rolled back');
        };
        try {
          await series.run(work, goesOn ? 'open' : 'durable');
          if (!goesOn) durable = new Map(expected);
        } catch (error) {
          expect((error as Error).message).toBe('rolled back');
          expected.clear();
          for (const [name, value] of durable) expected.set(name, value);
          series = database.series(rows);
        }
        if (random(40) === 0 && (!goesOn || fails)) {
          rows = openCurrentRows(database, buckets, 8);
          series = database.series(rows);
        }
        if (round % 50 === 0) {
          await database.finish();
          durable = new Map(expected);
          await demandOneOfEach();
        }
      }
      await database.finish();
      await demandOneOfEach();
      const all = await stored.rowsAfter(1, undefined);
      expect(all.map((row) => [row.key, Number(row.memberships[0]?.id)])).toEqual(
        [...expected].sort(([one], [other]) => (one < other ? -1 : 1)),
      );
      const [[settled = 0] = []] = await placesIn('SELECT count(*) FROM row_places');
      expect(settled).toBeGreaterThan(0);
    },
  );

  test('a copy that continues in another process finds the rows that the first one has stored', async () => {
    const begun = openCurrentRows(database, buckets, 8);
    const names = Array.from({ length: 100 }, (_, number) => key(number));
    const put = (rows: typeof begun, value: number) =>
      database.series(rows).run(() => {
        rows.begin();
        rows.beginCopy(1);
        for (const name of names) rows.put(1, bytesOfKey(name), rowOf(value));
      }, 'durable');
    await put(begun, 1);
    await put(openCurrentRows(database, buckets, 8), 2);
    await demandOneOfEach();
    const all = await openStored(database, 1, buckets.nameOf).rowsAfter(1, undefined);
    expect(all.map(({ memberships }) => memberships[0]?.id)).toEqual(names.map(() => '2'));
  });

  test('the small tree stays small', async () => {
    const rows = openCurrentRows(database, buckets, 8);
    for (let start = 0; start < 3_000; start += 30) {
      await database.transaction(() => {
        rows.begin();
        for (let number = start; number < start + 30; number += 1)
          rows.put(1, bytesOfKey(key(number * 3)), rowOf(number));
        rows.moveOn();
      });
    }
    const [[left = 0] = []] = await placesIn('SELECT count(*) FROM new_places');
    expect(left).toBeLessThan(100);
    await demandOneOfEach();
  });
});

test('a place that was seen is never taken for a new one', () => {
  const seen = rememberPlaces();
  const places = Array.from({ length: 2_000 }, (_, number) => {
    const text = Math.imul(number + 1, 0x9e3779b1) >>> 0;
    return rowPlaceOf(
      1 + (number % 3),
      bytesOfKey(`${text.toString(16).padStart(8, '0')}-0000-5000-8000-000000000000`),
    );
  });
  const [added, others] = [places.slice(0, 1_000), places.slice(1_000)];
  for (const place of added) seen.add(place);
  expect(added.every(seen.has)).toBe(true);
  expect(others.filter(seen.has).length).toBeLessThan(20);
});

describe('a table that is about to be copied', () => {
  let folder: string;
  let storage: Storage;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-places-'));
    storage = await openEmbeddedStorage(folder, { log: silentLog });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Counts how often a place is looked up. */
  const countLookups = () => {
    let count = 0;
    const { get } = StatementSync.prototype;
    vi.spyOn(StatementSync.prototype, 'get').mockImplementation(function (this: StatementSync, ...values) {
      if (/\b(all|row)_places\b.*WHERE place = /.test(this.sourceSQL)) count += 1;
      return get.apply(this, values);
    });
    return () => count;
  };
  const rowOf = (number: number, more: Partial<RowWrite> = {}) =>
    change(number, [put('a', `t${number}`)], more);

  test('is not searched for new rows, even if other rows have changed before', async () => {
    const { writer } = await activated(storage);
    const { id: table, ...todosTable } = await writer.putTable(todos);
    const lookups = countLookups();
    // Every three consecutive keys share their beginning, but no two of these do.
    const numbers = Array.from({ length: 40 }, (_, index) => index * 96);
    const [changed, copied] = [numbers.slice(0, 20), numbers.slice(20)];
    await writer.write({ rows: changed.map((number) => rowOf(number, { table })) });
    expect(await writer.currentRows(table, copied.map(key))).toEqual(copied.map(() => undefined));
    const progress = { id: table, ...todosTable, progress: { copiedRows: 20 } };
    await writer.write({ rows: copied.map((number) => rowOf(number, { table })), progress });
    expect(lookups()).toBe(0);
    const found = await writer.currentRows(table, numbers.map(key));
    expect(found.map((row) => row?.key)).toEqual(numbers.map(key));
  });
});

describe('waiting places', () => {
  /** The inverse of the factor by which a place is multiplied to find its slot. */
  const inverse = 0xe8b2f51;
  const [first, last] = placesOf(7);
  const takeAll = (waiting: ReturnType<typeof gatherPlaces>): number[] => {
    const taken: number[] = [];
    for (let some = waiting.take(5); some.length > 0; some = waiting.take(5)) taken.push(...some);
    return taken;
  };

  test('are taken in order, each with its row', () => {
    const { int: random } = randomFrom(3);
    const waiting = gatherPlaces();
    for (let round = 0; round < 3; round += 1) {
      const rows = new Map([
        [first, 2 ** 40],
        [last, 2],
      ]);
      for (let n = 0; n < 1_000; n += 1) rows.set(first + random(n % 2 === 0 ? 2 ** 31 : 3_000), n);
      for (const [place, row] of rows) {
        expect(waiting.has(place)).toBe(false);
        expect(waiting.add(place, row)).toBe(true);
      }
      expect([...rows.keys()].every(waiting.has)).toBe(true);
      expect(waiting.has(first + 2 ** 31 + 5)).toBe(false);
      expect(waiting.has(first + 2 ** 32)).toBe(false);
      expect(takeAll(waiting)).toEqual([...rows].sort(([one], [other]) => one - other).flat());
      expect([...rows.keys()].some(waiting.has)).toBe(false);
    }
  });

  test.each([300, 4_200])('leave nothing behind when %i of them are repeatedly cleared', (count) => {
    const { int: random } = randomFrom(count);
    const waiting = gatherPlaces();
    for (let round = 0; round < 4; round += 1) {
      const [from] = placesOf(round % 3);
      // Many places need the same slots, including the last ones.
      const places = new Set(
        Array.from(
          { length: count },
          () => from + (Math.imul(-1 - 9_999 * random(4 * count), inverse) >>> 0),
        ),
      );
      for (const place of places) expect(!waiting.has(place) && waiting.add(place, 1)).toBe(true);
      waiting.clear();
    }
  });

  test('of another table, or after some were taken, are refused until the earlier ones are taken', () => {
    const waiting = gatherPlaces();
    const isAdded = [waiting.add(first, 1), waiting.add(first + 1, 2), waiting.add(last + 1, 3)];
    expect(isAdded).toEqual([true, true, false]);
    expect(waiting.take(1)).toEqual([first, 1]);
    expect(waiting.add(first + 2, 3)).toBe(false);
    expect(waiting.has(first)).toBe(true);
    expect(takeAll(waiting)).toEqual([first + 1, 2]);
    expect(waiting.add(last + 1, 3)).toBe(true);
    waiting.clear();
    expect([waiting.has(last + 1), takeAll(waiting)]).toEqual([false, []]);
  });
});
