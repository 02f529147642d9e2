import { describe, expect, test } from 'vitest';
import type {
  LookupSize,
  Storage,
  StoredContents,
  StoredLookup,
} from '../../../../server/service/storage/storage.ts';
import { tableId } from '../../../support/service/sourceIds.ts';
import { withEachStorage } from './eachStorage.ts';
import { activated, type CreateRig, change, commit, key, put, todos } from './rig.ts';

export function describeStored(create: CreateRig): void {
  describe('the stored contents', () => {
    let storage: Storage;
    withEachStorage(create, (opened) => {
      storage = opened;
    });

    async function all<T>(next: (last: T | undefined) => Promise<readonly T[]>): Promise<T[]> {
      const found: T[] = [];
      for (;;) {
        const some = await next(found.at(-1));
        if (some.length === 0) return found;
        found.push(...some);
      }
    }
    const rowsOf = (stored: StoredContents, table: number) =>
      all<{ readonly key: string }>((last) => stored.rowsAfter(table, last?.key));

    test('are the tables and buckets of one deployment, and of no other', async () => {
      const other = await activated(storage);
      await other.writer.putTable(todos);
      await other.writer.write({ rows: [change(1, [put('other', 'x')])] });
      const { writer, deployment } = await activated(storage);
      const table = await writer.putTable(todos);
      await writer.write({ rows: [change(1, [put('a', 'x'), put('b', 'x')])] });
      await writer.write({ rows: [change(2, [put('c', 'y'), put('a', 'y')])] });
      const stored = storage.stored(deployment);
      expect(await stored.tables()).toEqual([table]);
      const buckets = await all<{ readonly id: number; readonly name: string }>((last) =>
        stored.bucketsAfter(last?.id ?? 0),
      );
      expect(buckets.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    });

    test('are all rows in the order of their keys, even if keys begin in the same way', async () => {
      const { writer, deployment } = await activated(storage);
      const { id: table } = await writer.putTable(todos);
      const { id: another } = await writer.putTable({ ...todos, name: 'others', sourceId: tableId(2) });
      const numbers = Array.from({ length: 2_500 }, (_, index) => (index * 7) % 2_500);
      await writer.write({ rows: numbers.map((n) => change(n, [put('a', `${n}`)], { table })) });
      await writer.write({ rows: [change(1, [put('a', 'z')], { table: another })] });
      await writer.write({ rows: [change(5, [], { table })] });
      const stored = storage.stored(deployment);
      const keys = (await rowsOf(stored, table)).map((row) => row.key);
      const expected = numbers.filter((n) => n !== 5).map(key);
      expect(keys).toEqual(expected.sort());
      expect(await stored.currentRows(table, [key(5), key(4), key(3)])).toMatchObject([
        undefined,
        { key: key(4), memberships: [{ bucket: 'a', id: '4' }] },
        { key: key(3) },
      ]);
      expect((await rowsOf(stored, another)).map((row) => row.key)).toEqual([key(1)]);
    });

    test('are the lookup entries up to a checkpoint', async () => {
      const { writer, deployment, reader } = await activated(storage);
      const write = (n: number, lookup: string, values: readonly string[]) =>
        writer.write({
          rows: [change(n, [], { lookups: [{ lookup, values: values.map((value) => [value]) }] })],
        });
      await write(1, 'l', ['one']);
      await write(2, 'l', ['two']);
      await write(1, 'm', ['three']);
      await write(1, 'l', []);
      await commit(writer, 2, deployment);
      const { opId = 0 } = (await reader.checkpoint()) ?? {};
      await write(2, 'l', ['later']);
      const stored = storage.stored(deployment);
      const entries = await all<StoredLookup>((last) => stored.lookupsAfter(opId, last));
      const drawn = ({ lookup, key: row, result }: StoredLookup) => `${lookup} ${row.slice(-1)} ${result}`;
      expect(entries.map(drawn).sort()).toEqual([
        ...['l 1 [["sone"]]', 'l 1 []', 'l 2 [["stwo"]]', 'm 1 [["sthree"]]'],
      ]);
      const ofOne = entries.filter((entry) => entry.lookup === 'l' && entry.key === key(1));
      expect(ofOne.map(({ result }) => result)).toEqual(['[["sone"]]', '[]']);
      const sizes = await all<LookupSize>((last) => stored.lookupSizesAfter(opId, last?.lookup));
      expect(sizes.map(({ lookup, values, distinct }) => `${lookup} ${values} ${distinct}`).sort()).toEqual([
        ...['l 1 1', 'm 1 1'],
      ]);
      const wanted = [1, 2, 3].map((n) => ({ lookup: 'l', table: 1, key: key(n) }));
      const latest = await stored.lookupsOf(opId, wanted);
      expect(latest.map(drawn).sort()).toEqual(['l 1 []', 'l 2 [["stwo"]]']);
    });
  });
}
