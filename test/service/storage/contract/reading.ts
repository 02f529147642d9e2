import { describe, expect, test } from 'vitest';
import type { SqlValue } from '../../../../server/engine/plan/values/value.ts';
import { jsonOfChunk } from '../../../../server/service/storage/chunks.ts';
import type { Storage } from '../../../../server/service/storage/storage.ts';
import { withEachStorage } from './eachStorage.ts';
import { activated, type CreateRig, change, commit, drawn, linesOf, put, readAll, remove } from './rig.ts';

export function describeReading(create: CreateRig): void {
  describe('reading', () => {
    let storage: Storage;
    withEachStorage(create, (opened) => {
      storage = opened;
    });

    /** A storage with these batches, each with a commit; returns the checkpoints. */
    const written = async (...batches: Parameters<typeof change>[1][]) => {
      const { deployment, writer, reader } = await activated(storage);
      const checkpoints: number[] = [];
      for (const [index, ops] of batches.entries()) {
        await writer.write({ rows: [change(index, ops)] });
        const { checkpoint } = await commit(writer, index + 2, deployment);
        checkpoints.push(checkpoint?.opId ?? 0);
      }
      return { deployment, writer, reader, checkpoints };
    };

    test('there is nothing in a storage that is new', async () => {
      const reader = storage.reader(7);
      expect(await reader.checkpoint()).toBeUndefined();
      expect(await reader.checksums(100, [])).toEqual([]);
      expect(await reader.checksums(100, ['a'])).toEqual([{ bucket: 'a', checksum: 0, count: 0 }]);
      expect(await reader.read(100, [{ bucket: 'a', after: 0 }])).toEqual([]);
      expect(await reader.lookups(100, ['a'], 9)).toEqual(new Map());
    });

    test('operations lie after the position and not after the checkpoint', async () => {
      const { reader, checkpoints } = await written([put('a', 'x')], [put('a', 'y')], [put('a', 'z')]);
      const [one = 0, two = 0] = checkpoints;
      expect(drawn(await readAll(reader, two, ['a'], one))).toEqual([`${two} PUT y`]);
      expect(await reader.read(two, [{ bucket: 'a', after: two }])).toEqual([]);
      expect(await reader.read(one, [{ bucket: 'a', after: two }])).toEqual([]);
    });

    test('a position may lie between operations that were written together', async () => {
      const { reader, checkpoints } = await written(
        ['v', 'w', 'x', 'y', 'z'].map((id) => put('a', id, `{"id":"é€😀 ${id}"}`)),
      );
      const [last = 0] = checkpoints;
      for (const [index, id] of ['v', 'w', 'x', 'y', 'z'].entries()) {
        const found = drawn(await readAll(reader, last, ['a'], last - 5 + index));
        expect(found).toHaveLength(5 - index);
        expect(found[0]).toBe(`${last - 4 + index} PUT ${id}`);
      }
    });

    test('a chunk says where it ends and whether there may be more', async () => {
      const { reader, checkpoints } = await written([put('a', 'x'), put('b', 'x'), put('a', 'y')]);
      const [last = 0] = checkpoints;
      const chunks = await reader.read(last, [
        { bucket: 'b', after: 0 },
        { bucket: 'none', after: 0 },
        { bucket: 'a', after: 0 },
      ]);
      expect(chunks.map(({ texts: _, count: __, ...chunk }) => chunk)).toEqual([
        { bucket: 'b', after: 0, nextAfter: last - 1, hasMore: false },
        { bucket: 'a', after: 0, nextAfter: last, hasMore: false },
      ]);
    });

    test('operations are lines as they are sent', async () => {
      const { reader, checkpoints } = await written([put('a', 'x'), remove('a', 'y')]);
      const [last = 0] = checkpoints;
      const chunks = await readAll(reader, last, ['a']);
      const [first, second] = [put('a', 'x').checksum, remove('a', 'y').checksum];
      const lines = [
        `{"op_id":"${last - 1}","op":"PUT","object_type":"todos","object_id":"x","checksum":${first},"subkey":"1/x","data":"{\\"id\\":\\"x\\"}"}`,
        `{"op_id":"${last}","op":"REMOVE","object_type":"todos","object_id":"y","checksum":${second},"subkey":"1/y","data":null}`,
      ];
      expect(chunks.map(jsonOfChunk)).toEqual([`[${lines.join(',')}]`]);
    });

    test('at most 1000 operations come at once, of as many buckets as it takes', async () => {
      const many = (bucket: string) => Array.from({ length: 700 }, (_, index) => put(bucket, `${index}`));
      const { reader, checkpoints } = await written([...many('a'), ...many('b'), ...many('c')]);
      const [last = 0] = checkpoints;
      const start = ['a', 'b', 'c'].map((bucket) => ({ bucket, after: 0 }));
      const page = await reader.read(last, start);
      expect(page.map(({ bucket, count, hasMore }) => [bucket, count, hasMore])).toEqual([
        ['a', 700, false],
        ['b', 300, true],
      ]);
      const all = linesOf(await readAll(reader, last, ['a', 'b', 'c']));
      expect(new Set(all.map(({ op_id }) => op_id)).size).toBe(2_100);
    });

    test('an answer ends at about a megabyte, but holds one operation whatever its size', async () => {
      const large = (id: string, size: number) => put('a', id, JSON.stringify({ text: 'x'.repeat(size) }));
      const ops = [large('1', 400_000), large('2', 400_000), large('3', 3_000_000), large('4', 5)];
      const { reader, checkpoints } = await written(ops);
      const [last = 0] = checkpoints;
      const pages: number[] = [];
      for (let after = 0; ; ) {
        const page = await reader.read(last, [{ bucket: 'a', after }]);
        const chunk = page.at(-1);
        if (chunk === undefined) break;
        pages.push(page.reduce((sum, { count }) => sum + count, 0));
        after = chunk.nextAfter;
      }
      expect(pages.reduce((sum, count) => sum + count, 0)).toBe(4);
      expect(pages.length).toBeGreaterThan(1);
    });

    test('many buckets are read to their ends', async () => {
      const buckets = Array.from({ length: 300 }, (_, index) => `b${index}`);
      const { reader, checkpoints } = await written(
        buckets.map((bucket) => put(bucket, 'x')),
        buckets.map((bucket) => put(bucket, 'y')),
      );
      const all = await readAll(reader, checkpoints[1] ?? 0, buckets);
      expect(linesOf(all)).toHaveLength(600);
      expect(new Set(all.map(({ bucket }) => bucket)).size).toBe(300);
    });

    test('checksums are sums modulo 2³² with a sign, at every checkpoint', async () => {
      const ops = Array.from({ length: 5 }, (_, index) => put('a', `${index}`));
      const { reader, checkpoints } = await written(...ops.map((op) => [op]));
      const expected = ops.map((_, index) => ({
        bucket: 'a',
        checksum: ops.slice(0, index + 1).reduce((sum, { checksum }) => (sum + checksum) | 0, 0),
        count: index + 1,
      }));
      const sums = async () =>
        (await Promise.all(checkpoints.map((checkpoint) => reader.checksums(checkpoint, ['a'])))).flat();
      expect(await sums()).toEqual(expected);
      // The second answer uses the sums that the first one has left.
      expect(await sums()).toEqual(expected);
    });

    test('checksums come in the order of the buckets, also of those without operations', async () => {
      const { reader, checkpoints } = await written([put('b', 'x'), put('a', 'y')]);
      const sums = await reader.checksums(checkpoints[0] ?? 0, ['none', 'b', 'a', 'b']);
      expect(sums.map(({ bucket, count }) => [bucket, count])).toEqual([
        ['none', 0],
        ['b', 1],
        ['a', 1],
        ['b', 1],
      ]);
    });

    test('buckets of the same name in two deployments are two buckets', async () => {
      const { writer, deployment, reader, checkpoints } = await written([put('a', 'x')]);
      await writer.release();
      const second = await activated(storage);
      const last = await second.writer.write({ rows: [change(1, [put('a', 'z')])] });
      await commit(second.writer, 2, second.deployment);
      expect(deployment).not.toBe(second.deployment);
      expect(drawn(await readAll(second.reader, last, ['a']))).toEqual([`${last} PUT z`]);
      expect(drawn(await readAll(reader, checkpoints[0] ?? 0, ['a']))).toEqual([`${checkpoints[0]} PUT x`]);
    });

    describe('lookups', () => {
      const looked = (number: number, lookup: string, ...values: (readonly SqlValue[])[]) =>
        change(number, [], { lookups: [{ lookup, values }] });

      test('have the values of all rows, as of the checkpoint', async () => {
        const { deployment, writer, reader } = await activated(storage);
        const first = await writer.write({ rows: [looked(1, 'l', ['a']), looked(2, 'l', ['b'], ['c'])] });
        await commit(writer, 2, deployment);
        const second = await writer.write({
          rows: [looked(1, 'l'), looked(2, 'l', ['d']), looked(3, 'm', ['e'])],
        });
        await commit(writer, 3, deployment);
        expect(await reader.lookups(first, ['l', 'm'], 9)).toEqual(new Map([['l', [['a'], ['b'], ['c']]]]));
        expect(await reader.lookups(second, ['m', 'l'], 9)).toEqual(
          new Map([
            ['m', [['e']]],
            ['l', [['d']]],
          ]),
        );
      });

      test('of the same key in two tables are two', async () => {
        const { writer, reader } = await activated(storage);
        const last = await writer.write({
          rows: [looked(1, 'l', ['a']), { ...looked(1, 'l', ['b']), table: 2 }],
        });
        expect(await reader.lookups(last, ['l'], 9)).toEqual(new Map([['l', [['a'], ['b']]]]));
      });

      test('keep the class of each value', async () => {
        const values: SqlValue[] = [
          ...[null, '', '1', 'é"😀', 1n, 1, 1.5, -0, 2n ** 62n, 1e300, -1e-7, Number.POSITIVE_INFINITY],
          new Uint8Array([0, 255]),
        ];
        const { writer, reader } = await activated(storage);
        const last = await writer.write({ rows: [looked(1, 'l"é', values)] });
        expect(await reader.lookups(last, ['l"é'], 9)).toEqual(new Map([['l"é', [values]]]));
      });

      test('are read no further than it takes to see that they are too many', async () => {
        const { writer, reader } = await activated(storage);
        const rows = Array.from({ length: 50 }, (_, index) =>
          looked(index, `l${index % 5}`, [BigInt(index)]),
        );
        const last = await writer.write({ rows });
        const keys = ['l0', 'l1', 'l2', 'l3', 'l4'];
        const count = async (limit: number) =>
          [...(await reader.lookups(last, keys, limit)).values()].flat().length;
        expect(await count(50)).toBe(50);
        expect(await count(25)).toBe(26);
        expect(await count(10)).toBe(11);
      });
    });
  });
}
