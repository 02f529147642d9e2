/** Clients wait until the service knows whether its storage is older than their own data. */
import { expect, test } from 'vitest';
import { compareHistories } from '../../../server/service/assembly/compareHistories.ts';
import { explainBreak } from '../../../server/service/replication/postgres/explainBreak.ts';
import type { Source } from '../../../server/service/replication/source.ts';
import type { Deployment } from '../../../server/service/storage/deployment.ts';
import type { DeploymentStore } from '../../../server/service/storage/storage.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

/** Compares a restored storage. The source has the slot of a later deployment, and answers when the test calls `answer`. */
function compare(type: Source['type']) {
  const clock = createManualClock();
  const told: unknown[] = [];
  let answer = (_: readonly string[]): void => {};
  const slots = new Promise<readonly string[]>((resolve) => {
    answer = resolve;
  });
  const source = {
    type,
    backlogNames: () => slots,
    backlog: async () => ({ kind: 'absent' }),
    explain: explainBreak,
  } as unknown as Source;
  const record = { id: 1, deploymentName: 'powersync_1_abcd', state: 'active' } as Deployment;
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

test('clients wait for the embedded database even on a busy machine, because it starts with the service', async () => {
  const { clock, told, over, isOver, answer } = compare('embedded');
  await clock.advance(120_000);
  expect(isOver()).toBe(false);
  answer();
  await over;
  expect(told).toMatchObject([{ kind: 'storage outdated', id: 1 }]);
});

test('a server that does not answer delays the start only briefly, and is compared when it answers', async () => {
  const { clock, told, over, answer } = compare('postgresql');
  await clock.advance(10_000);
  await over;
  expect(told).toEqual([]);
  answer();
  await expect.poll(() => told).toMatchObject([{ kind: 'storage outdated', id: 1 }]);
});
