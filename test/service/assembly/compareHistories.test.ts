/** Clients wait until the service knows whether its storage is older than they are. */
import { expect, test } from 'vitest';
import { compareHistories } from '../../../server/service/assembly/compareHistories.ts';
import type { Source } from '../../../server/service/replication/source.ts';
import type { Deployment } from '../../../server/service/storage/deployment.ts';
import type { DeploymentStore } from '../../../server/service/storage/storage.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

/** Compares a storage that was put back. The source has the slot of a later deployment, and answers when the test lets it answer. */
function compare(type: Source['type']) {
  const clock = createManualClock();
  const told: unknown[] = [];
  let answer = (_: readonly string[]): void => {};
  const slots = new Promise<readonly string[]>((resolve) => {
    answer = resolve;
  });
  const source = {
    type,
    slotNames: () => slots,
    slotState: async () => ({ kind: 'absent' }),
  } as unknown as Source;
  const record = { id: 1, slotName: 'powersync_1_abcd', state: 'active' } as Deployment;
  const deployments = { all: async () => [record] } as unknown as DeploymentStore;
  let isOver = false;
  const over = compareHistories({
    storage: { deployments },
    source,
    deployer: {
      tell: async (event) => {
        told.push(event);
        return [];
      },
    },
    world: { clock, log: { write: () => {} } },
  }).then(() => {
    isOver = true;
  });
  return { clock, told, over, isOver: () => isOver, answer: () => answer(['powersync_2_abcd']) };
}

test('the embedded database starts with the service, so clients wait for it on a busy machine', async () => {
  const { clock, told, over, isOver, answer } = compare('embedded');
  await clock.advance(120_000);
  expect(isOver()).toBe(false);
  answer();
  await over;
  expect(told).toMatchObject([{ kind: 'storage outdated', id: 1 }]);
});

test('a server that does not answer cannot keep the service from starting, and is compared later', async () => {
  const { clock, told, over, answer } = compare('postgresql');
  await clock.advance(10_000);
  await over;
  expect(told).toEqual([]);
  answer();
  await expect.poll(() => told).toMatchObject([{ kind: 'storage outdated', id: 1 }]);
});
