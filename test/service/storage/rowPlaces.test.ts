import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../../server/service/ground/log.ts';
import { openBuckets, type WrittenBuckets } from '../../../server/service/storage/embedded/buckets.ts';
import { openCurrentRows } from '../../../server/service/storage/embedded/currentRows.ts';
import { type Database, openDatabase } from '../../../server/service/storage/embedded/database.ts';
import { rememberPlaces } from '../../../server/service/storage/embedded/places/seenPlaces.ts';
import { bytesOfKey, rowPlaceOf } from '../../../server/service/storage/embedded/rowKeys.ts';
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
    database = openDatabase(folder, true);
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

  /** Of every row there is one place, in one of the trees. */
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

  test.each(['as rows of a copy', 'as changes'])(
    'are found in both trees, whatever is written, failed and moved: %s',
    async (how) => {
      const { int: random } = randomFrom(how.length);
      // Each of three rows that follow each other has the same place.
      const count = 60;
      const expected = new Map<string, number>();
      let rows = openCurrentRows(database, buckets, 8);
      const stored = openStored(database, 1, buckets.nameOf);
      for (let round = 0; round < 250; round += 1) {
        const before = new Map(expected);
        const fails = random(10) === 0;
        if (random(40) === 0) rows = openCurrentRows(database, buckets, 8);
        const work = () => {
          if (how === 'as rows of a copy') rows.beginCopy(1);
          const many = random(6);
          for (let n = 0; n < many; n += 1) {
            const [name, value] = [key(random(count)), random(1_000)];
            const kind = random(4);
            if (kind === 0) {
              rows.delete(1, bytesOfKey(name));
              expected.delete(name);
            } else if (kind === 1) {
              expect(rows.insert(1, bytesOfKey(name), rowOf(value))).toBe(!expected.has(name));
              if (!expected.has(name)) expected.set(name, value);
            } else {
              rows.put(1, bytesOfKey(name), rowOf(value));
              expected.set(name, value);
            }
          }
          rows.moveOn(many);
          if (fails) throw new Error('rolled back');
        };
        await database.transaction(work).catch(() => {
          expected.clear();
          for (const [name, value] of before) expected.set(name, value);
        });
        const name = key(random(count));
        const found = await database.transaction(() => rows.get(1, name));
        expect(found?.memberships[0]?.id).toBe(expected.has(name) ? `${expected.get(name)}` : undefined);
        if (round % 50 === 0) await demandOneOfEach();
      }
      await demandOneOfEach();
      const all = await stored.rowsAfter(1, undefined);
      expect(all.map((row) => [row.key, Number(row.memberships[0]?.id)])).toEqual(
        [...expected].sort(([one], [other]) => (one < other ? -1 : 1)),
      );
      const [[settled = 0] = []] = await placesIn('SELECT count(*) FROM row_places');
      expect(settled).toBeGreaterThan(0);
    },
  );

  test('a copy that goes on in another process finds what the first one has stored', async () => {
    const begun = openCurrentRows(database, buckets, 8);
    const names = Array.from({ length: 100 }, (_, number) => key(number));
    const put = (rows: typeof begun, value: number) =>
      database.transaction(() => {
        rows.beginCopy(1);
        for (const name of names) rows.put(1, bytesOfKey(name), rowOf(value));
        rows.moveOn(names.length);
      });
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
        for (let number = start; number < start + 30; number += 1)
          rows.put(1, bytesOfKey(key(number * 3)), rowOf(number));
        rows.moveOn(30);
      });
    }
    const [[left = 0] = []] = await placesIn('SELECT count(*) FROM new_places');
    expect(left).toBeLessThan(100);
    await demandOneOfEach();
  });
});

test('what was seen is never taken for new', () => {
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

  /** How often a place is looked up. */
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

  test('is not searched for rows that are new, also if others have changed before', async () => {
    const { writer } = await activated(storage);
    const { id: table, ...todosTable } = await writer.putTable(todos);
    const lookups = countLookups();
    // Three at a time share the beginning of their keys: of these, no two do.
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
