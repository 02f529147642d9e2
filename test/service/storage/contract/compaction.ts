import { describe, expect, test } from 'vitest';
import type { NewOp, Storage } from '../../../../server/service/storage/storage.ts';
import { withEachStorage } from './eachStorage.ts';
import {
  activated,
  type CreateRig,
  change,
  commit,
  compact,
  deploy,
  drawn,
  key,
  linesOf,
  positionAt,
  put,
  readAll,
  remove,
  todos,
  writerOf,
} from './rig.ts';

export function describeCompaction(create: CreateRig): void {
  describe('compaction', () => {
    let storage: Storage;
    withEachStorage(create, (opened) => {
      storage = opened;
    });

    const written = async (...ops: NewOp[]) => {
      const opened = await activated(storage);
      await opened.writer.write({ rows: [change(1, ops)] });
      const { checkpoint } = await commit(opened.writer, 2, opened.deployment);
      return { ...opened, last: checkpoint?.opId ?? 0 };
    };
    const relative = (drawing: readonly string[], last: number, count: number) =>
      drawing.map((line) => line.replace(/^\d+/, (id) => `${Number(id) - last + count}`));

    test('turns operations that a later one covers into MOVE, and the beginning into one CLEAR', async () => {
      const ops = [
        put('a', 'x'),
        put('a', 'y'),
        put('a', 'z'),
        put('a', 'y'),
        remove('a', 'x'),
        put('a', 'y'),
      ];
      const { deployment, reader, last } = await written(...ops);
      expect(await compact(storage, deployment)).toEqual({ moved: 3, cleared: 2, lookups: 0, requests: 0 });
      const chunks = await readAll(reader, last, ['a']);
      const checksum = (put('a', 'x').checksum + put('a', 'y').checksum) % 2 ** 32;
      expect(linesOf(chunks)[0]).toEqual({ op_id: `${last - 4}`, op: 'CLEAR', checksum });
      expect(relative(drawn(chunks), last, 6)).toEqual([
        '2 CLEAR',
        '3 PUT z',
        '4 MOVE',
        '5 REMOVE x',
        '6 PUT y',
      ]);
    });

    test('keeps the checksum, even if a part of it is cached', async () => {
      const ops = [put('a', 'x'), put('a', 'y'), put('a', 'x'), put('a', 'y'), remove('a', 'y')];
      const { deployment, writer, reader, last } = await written(...ops);
      const [before] = await reader.checksums(last, ['a']);
      await compact(storage, deployment);
      expect((await reader.checksums(last, ['a']))[0]?.checksum).toBe(before?.checksum);
      const next = await writer.write({ rows: [change(1, [put('a', 'q')])] });
      await commit(writer, 3, deployment);
      await compact(storage, deployment);
      const [sum] = await reader.checksums(next, ['a']);
      const lines = linesOf(await readAll(reader, next, ['a']));
      expect(sum).toEqual({
        bucket: 'a',
        checksum: lines.reduce((total, { checksum }) => (total + checksum) | 0, 0),
        count: lines.length,
      });
      expect(sum?.checksum).toBe(((before?.checksum ?? 0) + put('a', 'q').checksum) | 0);
    });

    test('reports with a chunk which operation covers one of its operations', async () => {
      const { deployment, writer, reader, last } = await written(put('a', 'p'), put('a', 'x'));
      const covering = await writer.write({ rows: [change(1, [put('a', 'x')])] });
      await commit(writer, 3, deployment);
      await compact(storage, deployment);
      const [atOld] = await reader.read(last, [{ bucket: 'a', after: 0 }]);
      expect(atOld?.target).toBe(covering);
      const [untouched] = await reader.read(covering, [{ bucket: 'a', after: last }]);
      expect(untouched).not.toHaveProperty('target');
    });

    test('passes the target of covered operations on to the CLEAR', async () => {
      const { deployment, writer, reader, last } = await written(put('a', 'x'), put('a', 'y'));
      const covering = await writer.write({ rows: [change(1, [put('a', 'x'), put('a', 'y')])] });
      await commit(writer, 3, deployment);
      await compact(storage, deployment);
      const [chunk] = await reader.read(last, [{ bucket: 'a', after: 0 }]);
      expect(chunk && drawn([chunk])).toEqual([`${last} CLEAR`]);
      expect(chunk?.target).toBe(covering);
    });

    test('reports that operations of an older checkpoint are gone, even if none of the bucket is left', async () => {
      const { deployment, writer, reader, last } = await written(put('a', 'x'), put('b', 'y'));
      const covering = await writer.write({ rows: [change(1, [remove('a', 'x')])] });
      await commit(writer, 3, deployment);
      await compact(storage, deployment);
      const from = ['a', 'b'].map((bucket) => ({ bucket, after: 0 }));
      const [gone, untouched] = await reader.read(last, from);
      expect(gone).toMatchObject({ bucket: 'a', nextAfter: 0, count: 0, hasMore: false, target: covering });
      expect(untouched).toMatchObject({ bucket: 'b', nextAfter: last, count: 1 });
      expect(untouched).not.toHaveProperty('target');
    });

    test('distinguishes rows by type, id and source row', async () => {
      const other = { ...put('a', 'x'), type: 'lists' };
      const ops = [put('a', 'x', '{}', 'r1'), put('a', 'x', '{}', 'r2'), other, put('a', 'r1', '{}', 'x')];
      const { deployment } = await written(...ops);
      expect((await compact(storage, deployment)).moved).toBe(0);
    });

    test('names the newest of several operations that cover another one', async () => {
      const { deployment, writer, reader, last } = await written(put('a', 'p'), put('a', 'x'));
      await writer.write({ rows: [change(1, [put('a', 'x'), put('a', 'x')])] });
      await commit(writer, 3, deployment);
      await compact(storage, deployment);
      const [chunk] = await reader.read(last, [{ bucket: 'a', after: last - 1 }]);
      expect(chunk && drawn([chunk])).toEqual([`${last} MOVE`]);
      expect(chunk?.target).toBe(last + 2);
    });

    test('does not touch operations that are not published', async () => {
      const { deployment, writer } = await written(remove('a', 'x'));
      await writer.write({ rows: [change(1, [remove('a', 'x'), remove('a', 'x')])] });
      expect(await compact(storage, deployment)).toEqual({ moved: 0, cleared: 0, lookups: 0, requests: 0 });
    });

    test('compacts only the requested buckets', async () => {
      const { deployment, reader, last } = await written(
        put('a', 'x'),
        put('a', 'x'),
        put('b', 'x'),
        put('b', 'x'),
      );
      expect((await compact(storage, deployment, { buckets: ['b', 'none'] })).moved).toBe(1);
      expect(relative(drawn(await readAll(reader, last, ['a'])), last, 4)).toEqual(['1 PUT x', '2 PUT x']);
    });

    test('finds nothing to do the second time', async () => {
      const ops = [put('a', 'x'), put('a', 'y'), put('a', 'x'), put('a', 'y'), remove('a', 'y')];
      const { deployment } = await written(...ops);
      await compact(storage, deployment);
      expect(await compact(storage, deployment)).toEqual({ moved: 0, cleared: 0, lookups: 0, requests: 0 });
    });

    test('does nothing for a deployment without a checkpoint', async () => {
      const id = await deploy(storage);
      const report = { moved: 0, cleared: 0, lookups: 0, requests: 0 };
      expect(await compact(storage, id)).toEqual(report);
    });

    test('compacts long histories in several batches', async () => {
      const ops = Array.from({ length: 12_000 }, (_, index) => put('a', `${index % 7}`));
      const { deployment, reader, last } = await written(...ops);
      const [before] = await reader.checksums(last, ['a']);
      const report = await compact(storage, deployment);
      expect(report.moved).toBe(11_993);
      expect(relative(drawn(await readAll(reader, last, ['a'])), last, 12_000)).toEqual([
        '11993 CLEAR',
        ...[11_994, 11_995, 11_996, 11_997, 11_998, 11_999, 12_000].map((id) => `${id} PUT ${(id - 1) % 7}`),
      ]);
      expect((await reader.checksums(last, ['a']))[0]).toEqual({ ...before, count: 8 });
    });

    test('compacts a bucket with more rows than it remembers at once', async () => {
      const rows = Array.from({ length: 3_000 }, (_, index) => `${index}`);
      const [first, second] = ['first', 'second'].map((data) => rows.map((id) => put('a', id, data)));
      const { deployment, reader, last } = await written(...(first ?? []), ...(second ?? []));
      const [before] = await reader.checksums(last, ['a']);
      // This memory is enough for about 1,100 of the rows.
      const report = await compact(storage, deployment, { keyMemory: 200_000 });
      expect(report).toMatchObject({ moved: 3_000 });
      const lines = linesOf(await readAll(reader, last, ['a']));
      expect(lines.map(({ op }) => op)).toEqual(['CLEAR', ...rows.map(() => 'PUT')]);
      expect(lines.slice(1).map(({ object_id }) => object_id)).toEqual(rows);
      expect((await reader.checksums(last, ['a']))[0]).toEqual({ ...before, count: 3_001 });
      expect(await compact(storage, deployment, { keyMemory: 200_000 })).toMatchObject({
        moved: 0,
        cleared: 0,
      });
    });

    test('finds nothing to do in a long history of rows that were never changed', async () => {
      const { deployment } = await written(
        ...Array.from({ length: 5_000 }, (_, index) => put('a', `${index}`)),
      );
      expect(await compact(storage, deployment)).toMatchObject({ moved: 0, cleared: 0 });
    });

    test('stops between two batches when it is aborted', async () => {
      const { deployment, reader, last } = await written(put('a', 'x'), put('a', 'x'));
      const report = await compact(storage, deployment, { signal: AbortSignal.abort() });
      expect(report).toEqual({ moved: 0, cleared: 0, lookups: 0, requests: 0 });
      expect(linesOf(await readAll(reader, last, ['a']))).toHaveLength(2);
    });

    test('ends when the deployment is stopped, because its data will be deleted', async () => {
      const { deployment, reader, last } = await written(
        ...Array.from({ length: 12_000 }, () => put('a', 'x')),
      );
      let rests = 0;
      const rest = async () => {
        rests += 1;
        if (rests === 1)
          await storage.deployments.change(() => [{ kind: 'state', id: deployment, state: 'stopped' }]);
      };
      const report = await compact(storage, deployment, { rest });
      expect(report).toEqual({ moved: 0, cleared: 0, lookups: 0, requests: 0 });
      expect(linesOf(await readAll(reader, last, ['a']))).toHaveLength(12_000);
    });

    test('drops lookup entries that newer ones replace', async () => {
      const { deployment, writer, reader } = await activated(storage);
      const looked = (number: number, lookup: string, ...values: string[]) =>
        change(number, [], { lookups: [{ lookup, values: values.map((value) => [value]) }] });
      await writer.write({ rows: [looked(1, 'l', 'a'), looked(2, 'l', 'b'), looked(3, 'm', 'c')] });
      const last = await writer.write({ rows: [looked(1, 'l', 'd'), looked(3, 'm')] });
      await commit(writer, 2, deployment);
      const before = await reader.lookups(last, ['l', 'm'], 9);
      expect((await compact(storage, deployment, { lookups: false })).lookups).toBe(0);
      expect((await compact(storage, deployment)).lookups).toBe(3);
      expect(await reader.lookups(last, ['l', 'm'], 9)).toEqual(before);
      expect(before).toEqual(new Map([['l', [['d'], ['b']]]]));
    });

    test('keeps lookup entries of the same key in two tables', async () => {
      const { deployment, writer, reader } = await activated(storage);
      const looked = change(1, [], { lookups: [{ lookup: 'l', values: [['a']] }] });
      const last = await writer.write({ rows: [looked, { ...looked, table: 2 }] });
      await commit(writer, 2, deployment);
      expect((await compact(storage, deployment)).lookups).toBe(0);
      expect(await reader.lookups(last, ['l'], 9)).toEqual(new Map([['l', [['a'], ['a']]]]));
    });

    test('keeps lookup entries if the newer ones are not published', async () => {
      const { deployment, writer, reader } = await activated(storage);
      const lookups = [{ lookup: 'l', values: [['a']] }];
      const first = await writer.write({ rows: [change(1, [], { lookups })] });
      await commit(writer, 2, deployment);
      await writer.write({ rows: [change(1, [], { lookups: [{ lookup: 'l', values: [] }] })] });
      expect((await compact(storage, deployment)).lookups).toBe(0);
      expect((await reader.lookups(first, ['l'], 9)).size).toBe(1);
    });
  });

  describe('clearing', () => {
    let storage: Storage;
    withEachStorage(create, (opened) => {
      storage = opened;
    });

    const filled = async () => {
      const opened = await activated(storage);
      const table = await opened.writer.putTable(todos);
      const lookups = [{ lookup: 'l', values: [['x']] }];
      const rows = Array.from({ length: 6_000 }, (_, index) => ({
        ...change(index, [put(`b${index % 3}`, `${index}`)], index < 10 ? { lookups } : {}),
        table: table.id,
      }));
      const last = await opened.writer.write({ rows });
      await commit(opened.writer, 2, opened.deployment);
      return { ...opened, table, last };
    };

    test('deletes all data of a deployment, and keeps its record', async () => {
      const { deployment, writer, reader, table, last } = await filled();
      await storage.clear(deployment, new AbortController().signal);
      expect(linesOf(await readAll(reader, last, ['b0', 'b1', 'b2']))).toEqual([]);
      expect(await reader.lookups(last, ['l'], 9)).toEqual(new Map());
      expect(await writer.tables()).toEqual([]);
      expect(await writer.currentRows(table.id, [key(1)])).toEqual([undefined]);
      expect((await storage.deployments.all()).map(({ id }) => id)).toEqual([deployment]);
    });

    test('can be interrupted and done again', async () => {
      const { deployment, last, reader } = await filled();
      await storage.clear(deployment, AbortSignal.abort());
      expect(linesOf(await readAll(reader, last, ['b0', 'b1', 'b2']))).toHaveLength(6_000);
      await storage.clear(deployment, new AbortController().signal);
      await storage.clear(deployment, new AbortController().signal);
      expect(linesOf(await readAll(reader, last, ['b0', 'b1', 'b2']))).toEqual([]);
    });

    test('does not keep another deployment from writing', async () => {
      const { deployment, writer } = await filled();
      await writer.release();
      const id = await deploy(storage);
      const other = await writerOf(storage, id);
      const { id: table } = await other.putTable(todos);
      await other.finishSnapshot(positionAt(1));
      let isCleared = false;
      const clearing = storage.clear(deployment, new AbortController().signal).then(() => {
        isCleared = true;
      });
      let commits = 0;
      while (!isCleared) {
        await other.write({ rows: [{ ...change(1, [put('other', `${commits}`)]), table }] });
        commits += (await commit(other, commits + 1, id)).published ? 1 : 0;
      }
      await clearing;
      expect(commits).toBeGreaterThan(0);
      const reader = storage.reader(id);
      const checkpoint = (await reader.checkpoint())?.opId ?? 0;
      expect(linesOf(await readAll(reader, checkpoint, ['other']))).toHaveLength(commits);
    });

    test('buckets are counted by the beginning of their names, up to a limit', async () => {
      const { deployment, writer } = await activated(storage);
      const buckets = ['1#s|0["a"]', '1#s|0["b["]', '1#s|0["a"]', '1#s|1[]'];
      await writer.write({
        rows: [
          change(
            1,
            buckets.map((bucket, n) => put(bucket, `${n}`)),
          ),
        ],
      });
      const counts = await storage.countBuckets(deployment, 3);
      expect([...(counts ?? [])].toSorted()).toEqual([
        ['1#s|0', 2],
        ['1#s|1', 1],
      ]);
      expect(await storage.countBuckets(deployment, 2)).toBeUndefined();
      expect(await storage.countBuckets(deployment + 1, 2)).toEqual(new Map());
    });

    test('rows are counted by table, except for tables that exceed a limit', async () => {
      const { deployment, writer } = await activated(storage);
      const { id } = await writer.putTable(todos);
      await writer.putTable({ ...todos, name: 'empty' });
      await writer.write({
        rows: [1, 2, 3].map((n) => change(n, [put('1#s|0[]', `${n}`)], { table: id })),
      });
      const counts = await storage.countRows(deployment, 3);
      expect(counts.toSorted((a, b) => b.rows - a.rows)).toEqual([
        { schema: 'public', name: 'todos', rows: 3 },
        { schema: 'public', name: 'empty', rows: 0 },
      ]);
      expect((await storage.countRows(deployment, 2)).map(({ name }) => name)).toEqual(['empty']);
      expect(await storage.countRows(deployment + 1, 2)).toEqual([]);
    });

    test('the sizes of a storage grow with its contents', async () => {
      const { last } = await filled();
      const sizes = await storage.sizes();
      expect(last).toBeGreaterThan(6_000);
      expect(sizes.operations).toBeGreaterThan(6_000 * 15);
      expect(sizes.current).toBeGreaterThan(6_000 * 20);
      expect(sizes.lookups).toBeGreaterThan(10);
    });
  });
}
