import { describe, expect, test } from 'vitest';
import type { Decide } from '../../../../server/service/storage/deployment.ts';
import type { CommitResult, Notice, Storage } from '../../../../server/service/storage/storage.ts';
import { withEachStorage } from './eachStorage.ts';
import { activated, activating, type CreateRig, commit, deploy, lsn, nothing, writerOf } from './rig.ts';

export function describeDeployments(create: CreateRig): void {
  describe('deployments', () => {
    let storage: Storage;
    const reopen = withEachStorage(create, (opened) => {
      storage = opened;
    });
    const states = async () => (await storage.deployments.all()).map(({ id, state }) => `${id} ${state}`);

    test('there are none at first', async () => {
      expect(await storage.deployments.all()).toEqual([]);
    });

    test('a new one copies, and knows its text and its slot', async () => {
      const id = await deploy(storage, 'streams: {a: {}}');
      expect(await storage.deployments.all()).toEqual([
        {
          id,
          state: 'processing',
          content: 'streams: {a: {}}',
          slotName: `slot_${id}`,
          storageVersion: 2,
          createdAt: 1_000,
          snapshotDone: false,
        },
      ]);
    });

    test('several changes happen at once, each on what the former ones left', async () => {
      const first = await deploy(storage);
      const records = await storage.deployments.change((all) => [
        ...all.map(({ id }) => ({ kind: 'state', id, state: 'stopped' }) as const),
        { kind: 'insert', content: 'b', storageVersion: 3, slotNameOf: (id) => `s_${id}`, at: 5 },
      ]);
      expect(records.map(({ state }) => state)).toEqual(['stopped', 'processing']);
      expect(records.map(({ storageVersion }) => storageVersion)).toEqual([2, 3]);
      expect(records[1]?.id).toBeGreaterThan(first);
      expect(await storage.deployments.all()).toEqual(records);
    });

    test('what fails while it is decided changes nothing', async () => {
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
          slotNameOf: () => {
            throw new Error('no name');
          },
        },
      ]);
      await expect(half).rejects.toThrow('no name');
      expect((await storage.deployments.all()).map(({ state }) => state)).toEqual(['processing']);
    });

    test('changes that are asked for at once happen one after the other', async () => {
      const counts: number[] = [];
      const ask = () =>
        storage.deployments.change((records) => {
          counts.push(records.length);
          return [{ kind: 'insert', content: '', storageVersion: 2, slotNameOf: (id) => `s${id}`, at: 1 }];
        });
      await Promise.all([ask(), ask(), ask(), ask()]);
      expect(new Set(counts)).toEqual(new Set([0, 1, 2, 3]));
      expect(await storage.deployments.all()).toHaveLength(4);
    });

    test('an error is kept until it is taken back', async () => {
      const id = await deploy(storage);
      const error = { message: 'Table "a" has no key', at: 7 };
      await storage.deployments.change(() => [{ kind: 'error', id, error }]);
      await reopen();
      expect((await storage.deployments.all())[0]?.lastError).toEqual(error);
      await storage.deployments.change(() => [{ kind: 'error', id, error: undefined }]);
      expect((await storage.deployments.all())[0]).not.toHaveProperty('lastError');
    });

    test('they and the identity of the storage outlive the process', async () => {
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
      await writer.finishSnapshot(lsn(5));
      expect(await states()).toEqual([`${first} active`, `${second} processing`]);
      const result = await writer.commit(lsn(5), { activate: activating(second), at: 1 });
      expect(result.changed?.map(({ state }) => state)).toEqual(['stopped', 'active']);
      expect(await states()).toEqual([`${first} stopped`, `${second} active`]);
    });

    test('none becomes active while no checkpoint is allowed', async () => {
      const id = await deploy(storage);
      const writer = await writerOf(storage, id);
      expect(await writer.commit(lsn(5), { activate: activating(id), at: 1 })).toEqual({ published: false });
      expect(await states()).toEqual([`${id} processing`]);
    });

    test('an activation that decides for nothing leaves all as it is', async () => {
      const id = await deploy(storage);
      const writer = await writerOf(storage, id);
      await writer.finishSnapshot(lsn(5));
      const result = await writer.commit(lsn(5), { activate: nothing, at: 1 });
      expect(result).toEqual({ published: true, checkpoint: { opId: 0, lsn: lsn(5) }, putOff: true });
    });

    test('an activation is decided by what is published so far, the commit itself included', async () => {
      const { deployment: first, writer: active } = await activated(storage);
      await commit(active, 7, first);
      const second = await deploy(storage);
      const writer = await writerOf(storage, second);
      await writer.finishSnapshot(lsn(5));
      const seen: unknown[] = [];
      const looking: Decide = (records) => {
        seen.push(records.map(({ lastCheckpointLsn }) => lastCheckpointLsn));
        return [];
      };
      await writer.commit(lsn(6), { activate: looking, at: 1 });
      expect(seen).toEqual([[lsn(7), lsn(6)]]);
    });

    test('one whose activation is put off is not told of until it is active', async () => {
      const { deployment: first } = await activated(storage);
      const second = await deploy(storage);
      const writer = await writerOf(storage, second);
      await writer.finishSnapshot(lsn(5));
      const notices: Notice[] = [];
      const told = new Promise<void>((resolve) => {
        storage.watch((notice) => {
          notices.push(notice);
          resolve();
        });
      });
      await writer.commit(lsn(5), { activate: nothing, at: 1 });
      expect(await states()).toEqual([`${first} active`, `${second} processing`]);
      await writer.commit(lsn(6), { activate: activating(second), at: 1 });
      await told;
      expect(notices).toEqual([
        { deployment: second, checkpoint: { opId: 0, lsn: lsn(6) }, activated: true },
      ]);
    });

    test('what serves publishes nothing more once it is decided that another one takes over', async () => {
      const { deployment: first, writer: active } = await activated(storage);
      const second = await deploy(storage);
      const writer = await writerOf(storage, second);
      await writer.finishSnapshot(lsn(5));
      let meanwhile: Promise<CommitResult> | undefined;
      const deciding: Decide = (records) => {
        meanwhile ??= commit(active, 9, first);
        return activating(second)(records);
      };
      expect((await writer.commit(lsn(5), { activate: deciding, at: 1 })).published).toBe(true);
      expect(await meanwhile).toEqual({ published: false });
      expect(await states()).toEqual([`${first} stopped`, `${second} active`]);
    });

    test('what serves is told when another one becomes active without a commit', async () => {
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
      expect(notices).toEqual([{ deployment, checkpoint: { opId: 0, lsn: lsn(1) }, activated: true }]);
    });
  });
}
