import { describe, expect, test } from 'vitest';
import { jsonOfChunk } from '../../../../server/service/storage/chunks.ts';
import type { RowWrite, Storage } from '../../../../server/service/storage/storage.ts';
import { withEachStorage } from './eachStorage.ts';
import {
  activated,
  type CreateRig,
  change,
  commit,
  deploy,
  drawn,
  key,
  positionAt,
  put,
  readAll,
  remove,
  todos,
  writerOf,
} from './rig.ts';

export function describeWriting(create: CreateRig): void {
  describe('writing', () => {
    let storage: Storage;
    const reopen = withEachStorage(create, (opened) => {
      storage = opened;
    });

    test('a deployment has only one writer at a time', async () => {
      const id = await deploy(storage);
      const writer = await writerOf(storage, id);
      expect(await storage.writer(id)).toBeUndefined();
      await writer.release();
      await (await writerOf(storage, id)).release();
    });

    test('a released writer neither writes nor releases the next writer', async () => {
      const id = await deploy(storage);
      const former = await writerOf(storage, id);
      await former.release();
      await writerOf(storage, id);
      await former.release();
      expect(await storage.writer(id)).toBeUndefined();
      const lost = {
        kind: 'lost',
        message: `The right to write for deployment ${id} was released, or another process has it now.`,
      };
      await expect(former.write({ rows: [change(1, [put('a', 'x')])] })).rejects.toMatchObject(lost);
      await expect(commit(former, 2, id)).rejects.toMatchObject(lost);
    });

    test('two deployments can be written at once', async () => {
      const one = await writerOf(storage, await deploy(storage));
      const other = await writerOf(storage, await deploy(storage));
      const results = await Promise.all([
        one.write({ rows: [change(1, [put('1#a', 'x')])] }),
        other.write({ rows: [change(1, [put('2#a', 'x')])] }),
      ]);
      expect(new Set(results).size).toBe(2);
    });

    test('tables are kept with their progress', async () => {
      const id = await deploy(storage);
      let writer = await writerOf(storage, id);
      const stored = await writer.putTable(todos);
      expect(stored).toEqual({ ...todos, id: stored.id });
      const progress = { copiedRows: 10, estimatedRows: 100, lastKey: '10' };
      await writer.putTable({ ...stored, progress });
      await reopen();
      writer = await writerOf(storage, id);
      expect(await writer.tables()).toEqual([{ ...stored, progress }]);
      await writer.deleteTable(stored.id);
      expect(await writer.tables()).toEqual([]);
    });

    test('numbers of tables are not used again', async () => {
      const writer = await writerOf(storage, await deploy(storage));
      const first = await writer.putTable(todos);
      await writer.deleteTable(first.id);
      const second = await writer.putTable(todos);
      expect(second.id).toBeGreaterThan(first.id);
    });

    test('progress is stored together with the rows', async () => {
      const writer = await writerOf(storage, await deploy(storage));
      const table = await writer.putTable(todos);
      const progress = { copiedRows: 1 };
      await writer.write({ rows: [change(1, [put('1#a', 'x')])], progress: { ...table, progress } });
      expect(await writer.tables()).toEqual([{ ...table, progress }]);
    });

    test('an unfinished write is durable after the commit that follows', async () => {
      const { deployment, writer } = await activated(storage);
      await writer.write({ rows: [change(1, [put('a', '1')])], goesOn: true });
      expect(await writer.currentRows(1, [key(1)])).toMatchObject([{ key: key(1) }]);
      await commit(writer, 5, deployment);
      await reopen();
      const checkpoint = await storage.reader(deployment).checkpoint();
      const [chunk] = await readAll(storage.reader(deployment), checkpoint?.opId ?? 0, ['a']);
      expect(chunk?.count).toBe(1);
      expect((await writerOf(storage, deployment)).isInterrupted).toBe(false);
    });

    test('an unfinished write is invisible until a commit, whatever others write meanwhile', async () => {
      const { deployment, writer, reader } = await activated(storage);
      await writer.write({ rows: [change(1, [put('a', '1')])], goesOn: true });
      expect(await storage.writeCheckpoints.create('u', positionAt(5))).toBe(1n);
      const before = await reader.checkpoint();
      expect(await readAll(reader, before?.opId ?? 0, ['a'])).toEqual([]);
      await writer.write({ rows: [change(2, [put('a', '2')])], goesOn: true });
      await commit(writer, 6, deployment);
      const after = await reader.checkpoint();
      const [chunk] = await readAll(reader, after?.opId ?? 0, ['a']);
      expect(chunk?.count).toBe(2);
    });

    test('an unfinished write leaves as many rows as its progress counts when its writer is released', async () => {
      const id = await deploy(storage);
      const writer = await writerOf(storage, id);
      const table = await writer.putTable(todos);
      const progress = { ...table, progress: { copiedRows: 1, lastKey: '1' } };
      const row = change(1, [put('a', '1')], { table: table.id });
      await writer.write({ rows: [row], progress, goesOn: true });
      await writer.release();
      await reopen();
      const next = await writerOf(storage, id);
      const [stored] = await next.tables();
      const rows = await next.someRows(table.id, 9);
      expect(rows).toHaveLength(stored?.progress?.copiedRows ?? 0);
    });

    test('the state of a row stays if a write marks it as stored, even right after it changed', async () => {
      const writer = await writerOf(storage, await deploy(storage));
      const moved = change(1, [put('b', '1')]);
      await writer.write({ rows: [change(1, [put('a', '1')])] });
      await writer.write({ rows: [moved, { ...moved, isStored: true }] });
      await writer.write({ rows: [{ ...moved, isStored: true }] });
      expect(await writer.currentRows(1, [key(1)])).toEqual([{ ...moved.current, key: key(1) }]);
    });

    test('the states of rows are returned in the order of the requested keys', async () => {
      const writer = await writerOf(storage, await deploy(storage));
      const full = {
        values: new Uint8Array([0, 1, 255]),
        memberships: [{ bucket: '1#"ä"', type: 'todos', id: "it's" }],
        lookups: ['l1', 'l2'],
      };
      const empty = { values: undefined, memberships: [], lookups: [] };
      await writer.write({ rows: [change(1, [], { current: full }), change(2, [], { current: empty })] });
      expect(await writer.currentRows(1, [key(2), key(3), key(1)])).toEqual([
        { key: key(2), ...empty },
        undefined,
        { key: key(1), ...full },
      ]);
      expect(await writer.currentRows(2, [key(1)])).toEqual([undefined]);
    });

    test('a row is replaced by its next change, and removed by its deletion', async () => {
      const writer = await writerOf(storage, await deploy(storage));
      await writer.write({ rows: [change(1, [put('1#a', 'x')]), change(1, [put('1#b', 'x')])] });
      const [row] = await writer.currentRows(1, [key(1)]);
      expect(row?.memberships).toEqual([{ bucket: '1#b', type: 'todos', id: 'x' }]);
      await writer.write({ rows: [change(1, [remove('1#b', 'x')])] });
      expect(await writer.currentRows(1, [key(1)])).toEqual([undefined]);
    });

    test('a row may be added, removed and added again in one batch', async () => {
      const writer = await writerOf(storage, await deploy(storage));
      const states: RowWrite[] = [
        change(1, [put('1#a', 'x')]),
        change(1, [remove('1#a', 'x')]),
        change(1, [put('1#c', 'x')]),
        change(2, [put('1#a', 'y')]),
        change(2, [remove('1#a', 'y')]),
      ];
      await writer.write({ rows: states });
      const [one, two] = await writer.currentRows(1, [key(1), key(2)]);
      expect(one?.memberships).toEqual([{ bucket: '1#c', type: 'todos', id: 'x' }]);
      expect(two).toBeUndefined();
    });

    test('a row that is assumed to be new is written as a new one, unless it is already stored', async () => {
      const { deployment, writer, reader } = await activated(storage);
      const newRow = (number: number, bucket: string): RowWrite =>
        change(number, [put(bucket, 'x')], {
          ifStored: ({ memberships }) => {
            const left = memberships.map((membership) => remove(membership.bucket, membership.id));
            return change(number, [put(bucket, 'x'), ...left]);
          },
        });
      await writer.write({ rows: [newRow(1, '1#a'), change(2, [put('1#a', 'y')])] });
      await writer.write({ rows: [newRow(1, '1#b'), change(3, [put('1#a', 'z')]), newRow(3, '1#b')] });
      const { checkpoint } = await commit(writer, 2, deployment);
      const ops = drawn(await readAll(reader, checkpoint?.opId ?? 0, ['1#a', '1#b']));
      expect(ops.map((op) => op.replace(/^\d+ /, ''))).toEqual([
        ...['PUT x', 'PUT y', 'REMOVE x', 'PUT z', 'REMOVE z'],
        ...['PUT x', 'PUT x'],
      ]);
      const rows = await writer.currentRows(1, [key(1), key(2), key(3)]);
      expect(rows.map((row) => row?.memberships.map(({ bucket }) => bucket))).toEqual([
        ['1#b'],
        ['1#a'],
        ['1#b'],
      ]);
    });

    test('`someRows` returns the remaining rows of a table', async () => {
      const writer = await writerOf(storage, await deploy(storage));
      const numbers = [1, 2, 3, 4, 5];
      await writer.write({ rows: numbers.map((number) => change(number, [put('1#a', `${number}`)])) });
      await writer.write({ rows: [{ ...change(9, [put('1#a', '9')]), table: 2 }] });
      const found = new Set<string>();
      for (;;) {
        const rows = await writer.someRows(1, 2);
        if (rows.length === 0) break;
        expect(rows.length).toBeLessThanOrEqual(2);
        for (const row of rows) found.add(row.key);
        await writer.write({ rows: rows.map((row) => ({ ...change(0, []), key: row.key })) });
      }
      expect([...found].sort()).toEqual(numbers.map(key));
      expect(await writer.someRows(2, 10)).toHaveLength(1);
    });

    test('ids grow in the order of writing, for operations and lookups alike', async () => {
      const { deployment, writer, reader } = await activated(storage);
      const lookups = [{ lookup: 'l', values: [['x']] }];
      const last = await writer.write({
        rows: [change(1, [put('1#a', 'x'), put('1#b', 'x')], { lookups }), change(2, [put('1#a', 'y')])],
      });
      const { checkpoint } = await commit(writer, 2, deployment);
      expect(checkpoint?.opId).toBe(last);
      const [x, second, y] = [last - 3, last - 2, last];
      expect(drawn(await readAll(reader, last, ['1#a']))).toEqual([`${x} PUT x`, `${y} PUT y`]);
      expect(drawn(await readAll(reader, last, ['1#b']))).toEqual([`${second} PUT x`]);
      expect(await reader.lookups(last - 2, ['l'], 9)).toEqual(new Map());
      expect((await reader.lookups(last - 1, ['l'], 9)).size).toBe(1);
    });

    test('ids are not assigned again, even after a reset and a restart', async () => {
      const id = await deploy(storage);
      let writer = await writerOf(storage, id);
      const before = await writer.write({ rows: [change(1, [put('1#a', 'x')])] });
      await writer.reset();
      await reopen();
      writer = await writerOf(storage, id);
      expect(await writer.write({ rows: [change(1, [put('1#a', 'x')])] })).toBeGreaterThan(before);
    });

    test('a reset leaves only the record', async () => {
      const { deployment, writer, reader } = await activated(storage);
      await writer.putTable(todos);
      const [table] = await writer.tables();
      const lookups = [{ lookup: 'l', values: [['x']] }];
      const row = { ...change(1, [put('1#a', 'x')], { lookups }), table: table?.id ?? 0 };
      const last = await writer.write({ rows: [row] });
      await commit(writer, 5, deployment);
      await writer.reset();
      expect(await writer.tables()).toEqual([]);
      expect(await writer.currentRows(row.table, [row.key])).toEqual([undefined]);
      expect(await reader.checkpoint()).toBeUndefined();
      expect(await reader.read(last, [{ bucket: '1#a', after: 0 }])).toEqual([]);
      expect(await reader.checksums(last, ['1#a'])).toEqual([{ bucket: '1#a', checksum: 0, count: 0 }]);
      expect(await reader.lookups(last, ['l'], 9)).toEqual(new Map());
      expect(await commit(writer, 9, deployment)).toEqual({ published: false });
      await writer.finishSnapshot(positionAt(2));
      expect((await commit(writer, 2, deployment)).published).toBe(true);
    });

    test('a reset deletes nothing of other deployments', async () => {
      const { writer, reader, deployment } = await activated(storage);
      const last = await writer.write({ rows: [change(1, [put('same', 'x')])] });
      await commit(writer, 2, deployment);
      const other = await writerOf(storage, await deploy(storage));
      await other.write({ rows: [{ ...change(1, [put('same', 'y')]), table: 2 }] });
      await other.reset();
      expect(drawn(await readAll(reader, last, ['same']))).toEqual([`${last} PUT x`]);
      expect((await writer.currentRows(1, [key(1)]))[0]?.memberships).toHaveLength(1);
    });

    test('a writer knows whether the last writes were not followed by a commit', async () => {
      const { deployment, writer } = await activated(storage);
      expect(writer.isInterrupted).toBe(false);
      await writer.write({ rows: [change(1, [put('1#a', 'x')])] });
      await reopen();
      const second = await writerOf(storage, deployment);
      expect(second.isInterrupted).toBe(true);
      await second.holdCheckpoints(positionAt(9));
      expect((await commit(second, 2, deployment)).published).toBe(false);
      await reopen();
      expect((await writerOf(storage, deployment)).isInterrupted).toBe(false);
    });

    test('large texts, strange buckets and strange ids are returned unchanged', async () => {
      const { deployment, writer, reader } = await activated(storage);
      const bucket = '1#by["a\\"é😀\'",1.5,null]';
      const data = JSON.stringify({ id: '\u2028"\\,"data":', text: 'x'.repeat(3_000_000) });
      const last = await writer.write({ rows: [change(1, [put(bucket, ',"data":"', data)])] });
      await commit(writer, 2, deployment);
      const [chunk] = await readAll(reader, last, [bucket]);
      expect(JSON.parse(chunk === undefined ? '' : jsonOfChunk(chunk))[0]).toEqual({
        op_id: `${last}`,
        op: 'PUT',
        object_type: 'todos',
        object_id: ',"data":"',
        checksum: put(bucket, ',"data":"', data).checksum,
        subkey: '1/,"data":"',
        data,
      });
    });
  });
}
