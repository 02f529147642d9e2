import { describe, expect, test } from 'vitest';
import {
  type Decide,
  type Deployment,
  skippedDeployments,
  skippedNumbers,
} from '../../../../server/service/storage/deployment.ts';
import type { CommitResult, Notice, Storage } from '../../../../server/service/storage/storage.ts';
import { columnIds } from '../../../support/service/sourceIds.ts';
import { withEachStorage } from './eachStorage.ts';
import {
  activated,
  activating,
  type CreateRig,
  change,
  commit,
  deploy,
  key,
  nothing,
  positionAt,
  put,
  todos,
  writerOf,
} from './rig.ts';

export function describeDeployments(create: CreateRig): void {
  describe('deployments', () => {
    let storage: Storage;
    const reopen = withEachStorage(create, (opened) => {
      storage = opened;
    });
    const states = async () => (await storage.deployments.all()).map(({ id, state }) => `${id} ${state}`);

    test('do not exist at first', async () => {
      expect(await storage.deployments.all()).toEqual([]);
    });

    test('a new one is processing, and has its config and its slot', async () => {
      const id = await deploy(storage, 'streams: {a: {}}');
      expect(await storage.deployments.all()).toEqual([
        {
          id,
          state: 'processing',
          content: 'streams: {a: {}}',
          deploymentName: `slot_${id}`,
          storageVersion: 2,
          createdAt: 1_000,
          snapshotDone: false,
          revision: 0,
        },
      ]);
    });

    test('several changes are applied together, each to the result of the former ones', async () => {
      const first = await deploy(storage);
      const records = await storage.deployments.change((all) => [
        ...all.map(({ id }) => ({ kind: 'state', id, state: 'stopped' }) as const),
        { kind: 'insert', content: 'b', storageVersion: 3, deploymentNameOf: (id) => `s_${id}`, at: 5 },
      ]);
      expect(records.map(({ state }) => state)).toEqual(['stopped', 'processing']);
      expect(records.map(({ storageVersion }) => storageVersion)).toEqual([2, 3]);
      expect(records[1]?.id).toBeGreaterThan(first);
      expect(await storage.deployments.all()).toEqual(records);
    });

    test('another config replaces the first one, whose text and stored rows are kept', async () => {
      const { deployment, reader } = await activated(storage);
      const before = (await storage.deployments.all())[0];
      const checkpoint = await reader.checkpoint();
      const notices: Notice[] = [];
      storage.watch((notice) => notices.push(notice));
      const storedContent = before?.content;
      const replace = (content: string, isSame: boolean) =>
        storage.deployments.change(() => [{ kind: 'content', id: deployment, content, isSame, at: 7_000 }]);
      const [changed, kept, ...others] = await replace('same', true);
      expect(changed).toEqual({ ...before, content: 'same', storedContent, createdAt: 7_000 });
      expect(kept).toMatchObject({ state: 'terminated', content: storedContent, createdAt: 1_000 });
      expect(others).toEqual([]);
      expect(notices).toEqual([]);
      const [again, ...texts] = await replace('less', false);
      expect(again).toEqual({ ...changed, content: 'less', revision: 1 });
      expect(texts.map(({ state, content }) => `${state} ${content}`)).toEqual([
        `terminated ${storedContent}`,
        'terminated same',
      ]);
      // Clients that know the former config have to reconnect.
      expect(notices).toEqual([{ deployment, checkpoint, activated: { revision: 1 } }]);
      await reopen();
      expect(await storage.deployments.all()).toEqual([again, ...texts]);
      expect(await storage.reader(deployment).checkpoint()).toEqual(checkpoint);
    });

    test('the user who deployed a config is kept with it, also when another one replaces it', async () => {
      const names = (records: readonly Deployment[]) =>
        records.map(({ content, deployedBy }) => `${content} by ${deployedBy}`);
      const [{ id = 0 } = {}] = await storage.deployments.change(() => [
        { kind: 'insert', content: 'a', storageVersion: 2, deploymentNameOf: () => 's', at: 1, by: 'Ada' },
      ]);
      const replace = (content: string, by?: string) =>
        storage.deployments.change(() => [
          { kind: 'content', id, content, isSame: true, at: 2, ...(by !== undefined && { by }) },
        ]);
      expect(names(await replace('b', 'Linus'))).toEqual(['b by Linus', 'a by Ada']);
      await replace('c');
      await reopen();
      expect(names(await storage.deployments.all())).toEqual(['c by undefined', 'a by Ada', 'b by Linus']);
    });

    test('a config is not replaced if another change of the same step fails', async () => {
      const id = await deploy(storage, 'streams: {a: {}}');
      const half = storage.deployments.change(() => [
        { kind: 'content', id, content: 'streams: {b: {}}', isSame: true, at: 7_000 },
        {
          kind: 'insert',
          content: '',
          storageVersion: 2,
          at: 1,
          deploymentNameOf: () => {
            throw new Error('no name');
          },
        },
      ]);
      await expect(half).rejects.toThrow('no name');
      expect((await storage.deployments.all()).map(({ content }) => content)).toEqual(['streams: {a: {}}']);
    });

    test('the part of the log that was read is remembered, published or not, until a reset', async () => {
      const id = await deploy(storage);
      let writer = await writerOf(storage, id);
      const passed = async () => (await storage.deployments.all())[0]?.passed;
      await writer.beginLog(positionAt(3));
      expect(await passed()).toEqual({ acknowledged: positionAt(3), last: positionAt(3) });
      await writer.commit(positionAt(7), {
        activate: nothing,
        at: 1,
        last: { position: positionAt(6), mark: 'six' },
      });
      await writer.finishSnapshot(positionAt(8));
      await writer.commit(positionAt(9), { activate: activating(id), at: 2 });
      await writer.commit(positionAt(0), { activate: nothing, at: 3 });
      await reopen();
      expect(await passed()).toEqual({ acknowledged: positionAt(9), last: positionAt(6), mark: 'six' });
      writer = await writerOf(storage, id);
      await writer.reset();
      expect(await passed()).toBeUndefined();
    });

    test('the origin of the log is remembered, with or without a timeline, until a reset', async () => {
      const id = await deploy(storage);
      let writer = await writerOf(storage, id);
      const origin = async () => (await storage.deployments.all())[0]?.origin;
      expect(await origin()).toBeUndefined();
      await writer.belongTo({ system: '7', branch: '1' });
      await reopen();
      expect(await origin()).toEqual({ system: '7', branch: '1' });
      writer = await writerOf(storage, id);
      await writer.belongTo({ system: '7' });
      expect(await origin()).toEqual({ system: '7' });
      await writer.reset();
      expect(await origin()).toBeUndefined();
    });

    test('the event that ends a transaction is remembered as soon as a part of the transaction is durable', async () => {
      const id = await deploy(storage);
      const writer = await writerOf(storage, id);
      await writer.beginLog(positionAt(3));
      const { id: table } = await writer.putTable(todos);
      const rows = [change(1, [put('b', '1')], { table })];
      await writer.write({ rows, last: { position: positionAt(8), mark: 'eight' } });
      await reopen();
      const [record] = await storage.deployments.all();
      expect(record?.passed).toEqual({ acknowledged: positionAt(3), last: positionAt(8), mark: 'eight' });
    });

    test('skipped numbers of deployments, operations and write checkpoints are never assigned', async () => {
      const { deployment, writer } = await activated(storage);
      await storage.writeCheckpoints.create('a', positionAt(1));
      await storage.writeCheckpoints.request('b', 7n, positionAt(1), 5);
      const reason = 'What is stored is too old.';
      await storage.deployments.change(() => [
        { kind: 'skip numbers' },
        { kind: 'insert', content: '', storageVersion: 2, deploymentNameOf: () => 's', at: 1, reason },
      ]);
      const next = (await storage.deployments.all()).at(-1);
      expect(next?.id).toBe(deployment + skippedDeployments + 1);
      expect(next?.reason).toBe(reason);
      const { id: table } = await writer.putTable(todos);
      const op = await writer.write({ rows: [change(1, [put('b', '1')], { table })] });
      expect(op).toBeGreaterThan(skippedNumbers);
      const skipped = BigInt(skippedNumbers);
      expect(await storage.writeCheckpoints.reached('a', positionAt(9))).toBe(skipped + 1n);
      expect(await storage.writeCheckpoints.create('a', positionAt(2))).toBe(skipped + 2n);
      expect(await storage.writeCheckpoints.reached('b', positionAt(9))).toBeUndefined();
    });

    test('problems of rows and the shape of a table are kept together with its progress', async () => {
      const id = await deploy(storage);
      let writer = await writerOf(storage, id);
      const shape = { membership: 't1', columns: columnIds({ id: 1, title: 3 }) };
      const table = await writer.putTable({ ...todos, shape });
      const problem = { key: key(1), row: 'id=1', kind: 'failure', message: 'too large', at: 5 };
      await writer.putRowProblems(table.id, [problem]);
      await writer.putTable({ ...table, copied: true });
      await reopen();
      writer = await writerOf(storage, id);
      expect(await writer.tables()).toEqual([{ ...table, copied: true, rowProblems: [problem] }]);
      await writer.putRowProblems(table.id, []);
      expect(await writer.tables()).toEqual([{ ...table, copied: true }]);
    });

    test('a change that fails while it is decided changes nothing', async () => {
      await deploy(storage);
      const failing = storage.deployments.change(() => {
        throw new Error('undecided');
      });
      await expect(failing).rejects.toThrow('undecided');
      const half = storage.deployments.change(() => [
        { kind: 'state', id: 1, state: 'stopped' },
        {
          kind: 'insert',
          content: '',
          storageVersion: 2,
          at: 1,
          deploymentNameOf: () => {
            throw new Error('no name');
          },
        },
      ]);
      await expect(half).rejects.toThrow('no name');
      expect((await storage.deployments.all()).map(({ state }) => state)).toEqual(['processing']);
    });

    test('changes that are requested at once are made one after the other', async () => {
      const counts: number[] = [];
      const ask = () =>
        storage.deployments.change((records) => {
          counts.push(records.length);
          return [
            { kind: 'insert', content: '', storageVersion: 2, deploymentNameOf: (id) => `s${id}`, at: 1 },
          ];
        });
      await Promise.all([ask(), ask(), ask(), ask()]);
      expect(new Set(counts)).toEqual(new Set([0, 1, 2, 3]));
      expect(await storage.deployments.all()).toHaveLength(4);
    });

    test('an error is kept until it is cleared', async () => {
      const id = await deploy(storage);
      const error = { message: 'Table "a" has no key', at: 7 };
      await storage.deployments.change(() => [{ kind: 'error', id, error }]);
      await reopen();
      expect((await storage.deployments.all())[0]?.lastError).toEqual(error);
      await storage.deployments.change(() => [{ kind: 'error', id, error: undefined }]);
      expect((await storage.deployments.all())[0]).not.toHaveProperty('lastError');
    });

    test('records and the identity of the storage outlive the process', async () => {
      const { instanceId } = storage;
      await deploy(storage, 'one');
      await deploy(storage, 'two');
      const before = await storage.deployments.all();
      await reopen();
      expect(await storage.deployments.all()).toEqual(before);
      expect(storage.instanceId).toBe(instanceId);
      expect(instanceId).toMatch(/^[0-9a-f-]{36}$/);
    });

    test('one becomes active with its first checkpoint, and the one before it stops', async () => {
      const { deployment: first } = await activated(storage);
      expect(await states()).toEqual([`${first} active`]);
      const second = await deploy(storage);
      const writer = await writerOf(storage, second);
      await writer.finishSnapshot(positionAt(5));
      expect(await states()).toEqual([`${first} active`, `${second} processing`]);
      const result = await writer.commit(positionAt(5), { activate: activating(second), at: 1 });
      expect(result.changed?.map(({ state }) => state)).toEqual(['stopped', 'active']);
      expect(await states()).toEqual([`${first} stopped`, `${second} active`]);
    });

    test('none becomes active while no checkpoint is allowed', async () => {
      const id = await deploy(storage);
      const writer = await writerOf(storage, id);
      expect(await writer.commit(positionAt(5), { activate: activating(id), at: 1 })).toEqual({
        published: false,
      });
      expect(await states()).toEqual([`${id} processing`]);
    });

    test('an activation that decides on no changes is put off', async () => {
      const id = await deploy(storage);
      const writer = await writerOf(storage, id);
      await writer.finishSnapshot(positionAt(5));
      const result = await writer.commit(positionAt(5), { activate: nothing, at: 1 });
      expect(result).toEqual({
        published: true,
        checkpoint: { opId: 0, position: positionAt(5) },
        putOff: true,
      });
    });

    test('an activation is decided by all published checkpoints, including that of the commit itself', async () => {
      const { deployment: first, writer: active } = await activated(storage);
      await commit(active, 7, first);
      const second = await deploy(storage);
      const writer = await writerOf(storage, second);
      await writer.finishSnapshot(positionAt(5));
      const seen: unknown[] = [];
      const looking: Decide = (records) => {
        seen.push(records.map(({ lastCheckpointPosition }) => lastCheckpointPosition));
        return [];
      };
      await writer.commit(positionAt(6), { activate: looking, at: 1 });
      expect(seen).toEqual([[positionAt(7), positionAt(6)]]);
    });

    test('one whose activation is put off is not announced until it is active', async () => {
      const { deployment: first } = await activated(storage);
      const second = await deploy(storage);
      const writer = await writerOf(storage, second);
      await writer.finishSnapshot(positionAt(5));
      const notices: Notice[] = [];
      const told = new Promise<void>((resolve) => {
        storage.watch((notice) => {
          notices.push(notice);
          resolve();
        });
      });
      await writer.commit(positionAt(5), { activate: nothing, at: 1 });
      expect(await states()).toEqual([`${first} active`, `${second} processing`]);
      await writer.commit(positionAt(6), { activate: activating(second), at: 1 });
      await told;
      expect(notices).toEqual([
        { deployment: second, checkpoint: { opId: 0, position: positionAt(6) }, activated: { revision: 0 } },
      ]);
    });

    test('the serving one publishes nothing after the decision that another one takes over', async () => {
      const { deployment: first, writer: active } = await activated(storage);
      const second = await deploy(storage);
      const writer = await writerOf(storage, second);
      await writer.finishSnapshot(positionAt(5));
      let meanwhile: Promise<CommitResult> | undefined;
      const deciding: Decide = (records) => {
        meanwhile ??= commit(active, 9, first);
        return activating(second)(records);
      };
      expect((await writer.commit(positionAt(5), { activate: deciding, at: 1 })).published).toBe(true);
      expect(await meanwhile).toEqual({ published: false });
      expect(await states()).toEqual([`${first} stopped`, `${second} active`]);
    });

    test('a deployment that becomes active without a commit is announced', async () => {
      const { deployment } = await activated(storage);
      const notices: Notice[] = [];
      const told = new Promise<void>((resolve) => {
        storage.watch((notice) => {
          notices.push(notice);
          resolve();
        });
      });
      await storage.deployments.change(() => [{ kind: 'state', id: deployment, state: 'stopped' }]);
      await storage.deployments.change(() => [{ kind: 'state', id: deployment, state: 'active' }]);
      await told;
      expect(notices).toEqual([
        { deployment, checkpoint: { opId: 0, position: positionAt(1) }, activated: { revision: 0 } },
      ]);
    });
  });
}
