import { describe, expect, test } from 'vitest';
import type { Notice, ReplicationWriter, Storage } from '../../../../server/service/storage/storage.ts';
import { withEachStorage } from './eachStorage.ts';
import {
  activated,
  type CreateRig,
  change,
  commit,
  deploy,
  drawn,
  nothing,
  positionAt,
  put,
  readAll,
  remove,
  writerOf,
} from './rig.ts';

export function describeCommits(create: CreateRig): void {
  describe('commits', () => {
    let storage: Storage;
    const reopen = withEachStorage(create, (opened) => {
      storage = opened;
    });
    const recordOf = async (id: number) => (await storage.deployments.all()).find((one) => one.id === id);

    describe('are allowed', () => {
      /** The events before the commit, its position, and whether it becomes a checkpoint. */
      const cases: readonly [string, (writer: ReplicationWriter) => Promise<unknown>, number, boolean][] = [
        ['never before the snapshot is done', async () => undefined, 9, false],
        ['at the end of the snapshot', (writer) => writer.finishSnapshot(positionAt(5)), 5, true],
        ['not before the end of the snapshot', (writer) => writer.finishSnapshot(positionAt(5)), 4, false],
        ['again at the position of the last one', (writer) => published(writer, 5), 5, true],
        ['not before the last one', (writer) => published(writer, 5), 4, false],
        ['not before a hold', (writer) => published(writer, 5, 8), 7, false],
        ['at the position of a hold', (writer) => published(writer, 5, 8), 8, true],
        ['not before the highest of several holds', (writer) => published(writer, 5, 8, 6), 7, false],
        ['no longer once the deployment was stopped', (writer) => replaced(writer), 6, false],
      ];

      test.each(cases)('%s', async (_, prepare, position, isPublished) => {
        const id = await deploy(storage);
        let writer = await writerOf(storage, id);
        await prepare(writer);
        await reopen();
        writer = await writerOf(storage, id);
        const result = await writer.commit(positionAt(position), { activate: nothing, at: 77 });
        expect(result.published).toBe(isPublished);
        const record = await recordOf(id);
        expect(record?.lastKeepaliveAt).toBe(77);
        expect(record?.lastCheckpointAt === 77).toBe(isPublished);
        expect(record?.lastCheckpointPosition === positionAt(position)).toBe(isPublished);
      });

      async function replaced(writer: ReplicationWriter) {
        await published(writer, 5);
        await storage.deployments.change(([first]) =>
          first === undefined ? [] : [{ kind: 'state', id: first.id, state: 'stopped' }],
        );
      }

      async function published(writer: ReplicationWriter, position: number, ...holds: number[]) {
        await writer.finishSnapshot(positionAt(1));
        await writer.commit(positionAt(position), { activate: nothing, at: 1 });
        for (const hold of holds) await writer.holdCheckpoints(positionAt(hold));
      }
    });

    test('make all written operations visible at once', async () => {
      const { deployment, writer, reader } = await activated(storage);
      await writer.write({ rows: [change(1, [put('1#a', 'x')])] });
      const last = await writer.write({ rows: [change(2, [put('1#a', 'y')])] });
      expect(await reader.checkpoint()).toEqual({ opId: 0, position: positionAt(1) });
      await commit(writer, 3, deployment);
      expect(await reader.checkpoint()).toEqual({ opId: last, position: positionAt(3) });
    });

    test('that are not allowed leave the operations to the next commit that is', async () => {
      const { deployment, writer, reader } = await activated(storage);
      await writer.holdCheckpoints(positionAt(9));
      const last = await writer.write({ rows: [change(1, [put('1#a', 'x')])] });
      expect(await commit(writer, 4, deployment)).toEqual({ published: false });
      expect(await reader.checkpoint()).toEqual({ opId: 0, position: positionAt(1) });
      await reopen();
      const second = await writerOf(storage, deployment);
      expect((await commit(second, 9, deployment)).checkpoint).toEqual({
        opId: last,
        position: positionAt(9),
      });
    });

    test('cover operations from before a crash, even if nothing is written afterwards', async () => {
      const { deployment, writer } = await activated(storage);
      await writer.write({ rows: [change(1, [put('1#a', 'x')])] });
      await commit(writer, 2, deployment);
      const last = await writer.write({ rows: [change(1, [remove('1#a', 'x')])] });
      await reopen();
      const second = await writerOf(storage, deployment);
      expect((await commit(second, 3, deployment)).checkpoint?.opId).toBe(last);
    });

    test('of one deployment do not publish operations of another', async () => {
      const { deployment, writer, reader } = await activated(storage);
      const last = await writer.write({ rows: [change(1, [put('1#a', 'x')])] });
      const other = await writerOf(storage, await deploy(storage));
      await other.write({ rows: [change(1, [put('2#a', 'x')])] });
      expect((await commit(writer, 2, deployment)).checkpoint?.opId).toBe(last);
      expect(await reader.read(last, [{ bucket: '2#a', after: 0 }])).toEqual([]);
    });

    test('clear the last error', async () => {
      const { deployment, writer } = await activated(storage);
      const error = { message: 'unreachable', at: 5 };
      await storage.deployments.change(() => [{ kind: 'error', id: deployment, error }]);
      await commit(writer, 2, deployment);
      expect(await recordOf(deployment)).not.toHaveProperty('lastError');
    });

    test('are durable when they return', async () => {
      const { deployment, writer } = await activated(storage);
      const last = await writer.write({ rows: [change(1, [put('1#a', 'x')])] });
      await commit(writer, 2, deployment);
      await reopen();
      const reader = storage.reader(deployment);
      expect(await reader.checkpoint()).toEqual({ opId: last, position: positionAt(2) });
      expect(drawn(await readAll(reader, last, ['1#a']))).toEqual([`${last} PUT x`]);
    });

    describe('are announced', () => {
      /** Collects the notices. `count` waits until there are as many as wanted. */
      const listen = () => {
        const notices: Notice[] = [];
        let wake: () => void = () => undefined;
        const stop = storage.watch((notice) => {
          notices.push(notice);
          wake();
        });
        const count = async (wanted: number) => {
          while (notices.length < wanted)
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          return notices;
        };
        return { notices, count, stop };
      };

      test('without changes at the activation, and with them afterwards', async () => {
        const { count } = listen();
        const { deployment, writer } = await activated(storage);
        const lookups = [{ lookup: 'l1', values: [] }];
        await writer.write({ rows: [change(1, [put('1#a', 'x'), put('1#b', 'x')], { lookups })] });
        const last = await writer.write({ rows: [change(2, [remove('1#a', 'y')])] });
        await commit(writer, 2, deployment);
        await commit(writer, 3, deployment);
        expect(await count(3)).toEqual([
          { deployment, checkpoint: { opId: 0, position: positionAt(1) }, activated: { revision: 0 } },
          {
            deployment,
            checkpoint: { opId: last, position: positionAt(2) },
            changed: { buckets: new Set(['1#a', '1#b']), lookups: new Set(['l1']) },
          },
          {
            deployment,
            checkpoint: { opId: last, position: positionAt(3) },
            changed: { buckets: new Set(), lookups: new Set() },
          },
        ]);
      });

      test('only when they are visible', async () => {
        const { deployment, writer } = await activated(storage);
        const { count } = listen();
        await writer.holdCheckpoints(positionAt(9));
        await writer.write({ rows: [change(1, [put('1#a', 'x')])] });
        await commit(writer, 5, deployment);
        await writer.write({ rows: [change(2, [put('1#b', 'x')])] });
        await commit(writer, 9, deployment);
        const [notice] = await count(1);
        expect(notice?.checkpoint.position).toBe(positionAt(9));
        expect(notice?.changed?.buckets).toEqual(new Set(['1#a', '1#b']));
      });

      test('to all listeners, even if one of them fails', async () => {
        storage.watch(() => {
          throw new Error('a listener fails');
        });
        const { notices, count, stop } = listen();
        const { deployment, writer } = await activated(storage);
        await count(1);
        stop();
        expect((await commit(writer, 2, deployment)).published).toBe(true);
        expect(notices).toHaveLength(1);
      });

      test('without the changed buckets if there are very many', async () => {
        const { deployment, writer } = await activated(storage);
        const { count } = listen();
        const ops = Array.from({ length: 20_001 }, (_, index) => put(`1#${index}`, 'x'));
        await writer.write({ rows: [change(1, ops)] });
        await commit(writer, 2, deployment);
        expect((await count(1))[0]).not.toHaveProperty('changed');
      });
    });
  });
}
