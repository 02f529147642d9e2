import { describe, expect, test } from 'vitest';
import type { Storage } from '../../../../server/service/storage/storage.ts';
import { withEachStorage } from './eachStorage.ts';
import { activated, type CreateRig, commit, compact, positionAt } from './rig.ts';

export function describeWriteCheckpoints(create: CreateRig): void {
  describe('write checkpoints', () => {
    let storage: Storage;
    const reopen = withEachStorage(create, (opened) => {
      storage = opened;
    });

    test('do not exist for a client that wrote nothing', async () => {
      expect(await storage.writeCheckpoints.reached('u', positionAt(100))).toBeUndefined();
    });

    test('have numbers that grow by one, separately for each key', async () => {
      const { writeCheckpoints } = storage;
      expect(await writeCheckpoints.create('u/1', positionAt(5))).toBe(1n);
      expect(await writeCheckpoints.create('u/1', positionAt(5))).toBe(2n);
      expect(await writeCheckpoints.create('u/2', positionAt(5))).toBe(1n);
    });

    test('are reached at their position, and not before', async () => {
      const { writeCheckpoints } = storage;
      await writeCheckpoints.create('u', positionAt(5));
      expect(await writeCheckpoints.reached('u', positionAt(4))).toBeUndefined();
      expect(await writeCheckpoints.reached('u', positionAt(5))).toBe(1n);
      expect(await writeCheckpoints.reached('u', positionAt(6))).toBe(1n);
    });

    test('stay reached when the next one is created', async () => {
      const { deployment, writer } = await activated(storage);
      const { writeCheckpoints } = storage;
      await writeCheckpoints.create('u', positionAt(5));
      await commit(writer, 6, deployment);
      expect(await writeCheckpoints.reached('u', positionAt(6))).toBe(1n);
      await writeCheckpoints.create('u', positionAt(9));
      expect(await writeCheckpoints.reached('u', positionAt(6))).toBe(1n);
      await writeCheckpoints.create('u', positionAt(10));
      expect(await writeCheckpoints.reached('u', positionAt(8))).toBe(1n);
      expect(await writeCheckpoints.reached('u', positionAt(10))).toBe(3n);
    });

    test('can be read for many keys at once, with the same result as for each key alone', async () => {
      const { deployment, writer } = await activated(storage);
      const { writeCheckpoints } = storage;
      await writeCheckpoints.create('early', positionAt(5));
      await commit(writer, 6, deployment);
      for (const key of ['early', 'late']) await writeCheckpoints.create(key, positionAt(9));
      const others = Array.from({ length: 1_200 }, (_, index) => `other/${index}`);
      const idOf = (key: string) => writeCheckpoints.idOf?.(key) ?? key;
      const among = (position: number) =>
        writeCheckpoints.reachedAmong([...others, 'early', 'late'].map(idOf), positionAt(position));
      expect(await among(6)).toEqual(new Map([[idOf('early'), 1n]]));
      expect(await among(9)).toEqual(
        new Map([
          [idOf('early'), 2n],
          [idOf('late'), 1n],
        ]),
      );
      expect(await writeCheckpoints.reachedAmong([], positionAt(9))).toEqual(new Map());
    });

    test('get different numbers if they are requested at once', async () => {
      const numbers = await Promise.all(
        Array.from({ length: 10 }, () => storage.writeCheckpoints.create('u', positionAt(5))),
      );
      expect([...numbers].sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 10 }, (_, index) => BigInt(index + 1)),
      );
    });

    test('cannot be created after the highest number', async () => {
      const { writeCheckpoints } = storage;
      const highest = 2n ** 63n - 1n;
      expect(await writeCheckpoints.request('u/1', highest, positionAt(5), 0)).toMatchObject({ id: highest });
      expect(await writeCheckpoints.create('u/1', positionAt(6))).toBeUndefined();
      expect(await writeCheckpoints.create('u/2', positionAt(6))).toBe(1n);
    });

    test('are kept for the last thousand of the clients that a user invents', async () => {
      const { writeCheckpoints } = storage;
      await writeCheckpoints.create('another/1', positionAt(1));
      for (let i = 1; i <= 1_003; i += 1) await writeCheckpoints.create(`u/${i}`, positionAt(i));
      const numberOf = (key: string) => writeCheckpoints.reached(key, positionAt(2_000));
      expect(await Promise.all(['u/1', 'u/2', 'u/3'].map(numberOf))).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(await Promise.all(['u/4', 'u/1003', 'another/1'].map(numberOf))).toEqual([1n, 1n, 1n]);
    });

    test('outlive the process and the deployment', async () => {
      const { deployment } = await activated(storage);
      await storage.writeCheckpoints.create('u', positionAt(5));
      await storage.clear(deployment, new AbortController().signal);
      await reopen();
      expect(await storage.writeCheckpoints.create('u', positionAt(6))).toBe(2n);
    });

    describe('that a client numbers itself', () => {
      test('are accepted if they are higher', async () => {
        const { writeCheckpoints } = storage;
        const high = 2n ** 62n;
        expect(await writeCheckpoints.request('u', high, positionAt(5), 1)).toEqual({
          id: high,
          needsMark: true,
        });
        expect(await writeCheckpoints.reached('u', positionAt(5))).toBe(high);
      });

      test('change nothing if they are lower or the same, and return the stored number', async () => {
        const { writeCheckpoints } = storage;
        await writeCheckpoints.request('u', 10n, positionAt(5), 1);
        expect(await writeCheckpoints.request('u', 9n, positionAt(8), 2)).toEqual({
          id: 10n,
          needsMark: true,
        });
        expect(await writeCheckpoints.request('u', 10n, positionAt(8), 2)).toEqual({
          id: 10n,
          needsMark: true,
        });
        expect(await writeCheckpoints.reached('u', positionAt(5))).toBe(10n);
      });

      test('need no mark if they are already replicated', async () => {
        const { deployment, writer } = await activated(storage);
        const { writeCheckpoints } = storage;
        await writeCheckpoints.request('u', 10n, positionAt(5), 1);
        await commit(writer, 5, deployment);
        expect(await writeCheckpoints.request('u', 10n, positionAt(8), 2)).toEqual({
          id: 10n,
          needsMark: false,
        });
        expect(await writeCheckpoints.request('u', 11n, positionAt(8), 2)).toEqual({
          id: 11n,
          needsMark: true,
        });
      });

      test('continue after the numbers of the service, and vice versa', async () => {
        const { writeCheckpoints } = storage;
        await writeCheckpoints.create('u', positionAt(5));
        await writeCheckpoints.request('u', 7n, positionAt(5), 1);
        expect(await writeCheckpoints.create('u', positionAt(5))).toBe(8n);
      });

      test('are dropped when they are old, while all others are kept', async () => {
        const { deployment } = await activated(storage);
        const { writeCheckpoints } = storage;
        await writeCheckpoints.request('old', 7n, positionAt(5), 1_000);
        await writeCheckpoints.request('new', 7n, positionAt(5), 9_500);
        await writeCheckpoints.request('asked again', 7n, positionAt(5), 1_000);
        await writeCheckpoints.request('asked again', 7n, positionAt(5), 9_500);
        await writeCheckpoints.request('managed since', 7n, positionAt(5), 1_000);
        await writeCheckpoints.create('managed since', positionAt(5));
        await writeCheckpoints.create('managed', positionAt(5));
        const report = await compact(storage, deployment, { now: 10_000, requestRetention: 1_000 });
        expect(report.requests).toBe(1);
        const keys = ['old', 'new', 'asked again', 'managed since', 'managed'];
        const kept = await Promise.all(keys.map((key) => writeCheckpoints.reached(key, positionAt(5))));
        expect(kept).toEqual([undefined, 7n, 7n, 8n, 1n]);
      });
    });
  });
}
