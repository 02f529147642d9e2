import { expect, test } from 'vitest';
import { readDeployedConfigs } from '../../../server/service/deployments/deployedConfigs.ts';
import { openDeployer } from '../../../server/service/deployments/deployer.ts';
import { situationOf } from '../../../server/service/deployments/lifecycle.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import { type Deployment, storedTextsOf } from '../../../server/service/storage/deployment.ts';
import { randomOf } from '../../consistency/random.ts';
import { createManualClock } from '../../support/service/manualClock.ts';
import { createMemoryStorage } from '../../support/service/memoryStorage.ts';

const queries = {
  lists: 'SELECT * FROM lists WHERE owner_id = auth.user_id()',
  todos: 'SELECT * FROM todos WHERE owner_id = auth.user_id()',
  shared: 'SELECT * FROM lists WHERE shared_with = auth.user_id()',
};
type Stream = keyof typeof queries;

function textOf(streams: readonly Stream[], remark = ''): string {
  const lines = streams.map((name) => `  ${name}: { auto_subscribe: true, query: "${queries[name]}" }\n`);
  return `config: { edition: 3 }\nstreams:\n${lines.join('')}${remark}`;
}

const texts = [
  textOf(['lists']),
  textOf(['lists'], '# the same with a remark\n'),
  textOf(['lists', 'todos']),
  textOf(['todos']),
  textOf(['shared', 'todos']),
];

const meaningOf = (text: string) => text.replace(/#.*\n/, '');

/** A deployed config as the user knows it. */
interface Known {
  readonly number: number;
  readonly content: string;
}

const configs = openSyncConfigs('public');

/** Opens a service without rows. */
function openService() {
  const store = createMemoryStorage().deployments;
  const clock = createManualClock();
  const deployer = openDeployer({
    store,
    configs,
    namePrefix: 'hw_',
    defaultStorageVersion: 2,
    clock,
    drawHex: () => '0001',
    onChange: () => {},
  });
  // A stopped deployment keeps its last checkpoint.
  const served = new Set<number>();
  const records = async (): Promise<readonly Deployment[]> =>
    (await store.all()).map((record) => (served.has(record.id) ? { ...record, lastCheckpoint: 1 } : record));
  return { store, clock, deployer, served, records };
}

type OpenService = ReturnType<typeof openService>;

/** Ends the copy of the pending deployment. */
async function finish({ deployer, served, records }: OpenService): Promise<void> {
  const { serving, pending } = situationOf(await records());
  if (pending === undefined) return;
  const { id, base, content } = pending;
  if (base === undefined || serving === undefined) {
    served.add(id);
    return void (await deployer.tell({ kind: 'activated', id }));
  }
  const before = storedTextsOf(serving);
  const storedTexts = [...before, { content, from: id }];
  await deployer.tell({ kind: 'copied beside', id, before, storedTexts });
}

test('The list has each deploy once, whatever is deployed, breaks, is reset and is given up', async () => {
  let deploys = 0;
  for (let seed = 1; seed <= 15; seed += 1) {
    const { below, pick } = randomOf(seed);
    const service = openService();
    const { deployer, clock, records } = service;
    const known: Known[] = [];
    let active: Known | undefined;
    let pending: Known | undefined;

    const deploy = async (content: string): Promise<void> => {
      // A text that differs from the pending one only in a remark replaces it, even if it is the active one.
      const isLikePending = pending !== undefined && meaningOf(pending.content) === meaningOf(content);
      const candidates = isLikePending ? [pending] : [active, known.at(-1)];
      const latest = candidates.find((each) => each?.content === content);
      await deployer.deploy(content);
      const now = readDeployedConfigs(await records()).all;
      const added = now.at(-1);
      if (latest === undefined) {
        deploys += 1;
        const [before = 0] = known.slice(-1).map(({ number }) => number);
        expect(added?.number).toBeGreaterThan(before);
        known.push({ number: added?.number ?? 0, content });
      }
      const deployed = latest ?? (known.at(-1) as Known);
      const { serving } = situationOf(await records());
      const isActive = serving?.state === 'active' && serving.content === content;
      pending = isActive ? undefined : deployed;
      if (isActive) active = deployed;
    };

    for (let step = 0; step < 25; step += 1) {
      await clock.advance(1_000);
      const { serving, pending: copied } = situationOf(await records());
      switch (below(6)) {
        case 0:
        case 1:
          await deploy(pick(texts));
          break;
        case 2:
        case 3:
          await finish(service);
          active = pending ?? active;
          pending = undefined;
          break;
        case 4:
          if (serving !== undefined) {
            await deployer.tell({ kind: 'source reset', id: serving.id });
            if (serving.state === 'active') pending ??= active;
          }
          break;
        default:
          if (copied !== undefined) {
            await deployer.control({ kind: 'give up' }, undefined);
            pending = undefined;
          }
      }
      for (const { id, state } of await records())
        if (state === 'stopped') await deployer.tell({ kind: 'cleared', id });
      const now = readDeployedConfigs(await records()).all;
      const of = (state: string) => now.filter((each) => each.state === state).map(({ number }) => number);
      expect([seed, step, now.map(({ number, content }) => ({ number, content }))]).toEqual([
        seed,
        step,
        known,
      ]);
      expect([seed, step, of('active')]).toEqual([seed, step, active ? [active.number] : []]);
      const isCopiedAgain = pending?.number === active?.number;
      expect([seed, step, of('pending')]).toEqual([
        seed,
        step,
        pending && !isCopiedAgain ? [pending.number] : [],
      ]);
    }
  }
  expect(deploys).toBeGreaterThan(50);
});

test('A deploy that needs no copy gets a number of its own, and a deploy of the active config does not', async () => {
  const service = openService();
  const { deployer, records } = service;
  const [one = '', remark = '', beside = ''] = texts;
  const numbers: number[] = [];
  for (const text of [one, remark, remark, beside, one, one]) {
    numbers.push((await deployer.deploy(text)).configNumber);
    await finish(service);
  }
  expect(numbers).toEqual([1, 2, 2, 3, 5, 5]);
  expect(readDeployedConfigs(await records()).all.map(({ number, content }) => [number, content])).toEqual([
    [1, one],
    [2, remark],
    [3, beside],
    [5, one],
  ]);
});

test('A config that never became active is listed as such, and a copy of the active one does not repeat it', async () => {
  const service = openService();
  const { deployer, records } = service;
  const [one = '', , , other = ''] = texts;
  await deployer.deploy(one);
  await finish(service);
  const { id } = await deployer.deploy(other);
  await deployer.control({ kind: 'give up' }, undefined);
  await deployer.tell({ kind: 'cleared', id });
  expect((await deployer.reprocess()).configNumber).toBe(1);
  await finish(service);
  expect(readDeployedConfigs(await records()).all).toMatchObject([
    { number: 1, content: one, state: 'active', hasServed: true, record: { id: 3 } },
    { number: 2, content: other, state: 'earlier', hasServed: false },
  ]);
});

test('A new copy of single streams is not a deploy, before and after its rows are complete', async () => {
  const service = openService();
  const { deployer, records } = service;
  const [one = '', , both = ''] = texts;
  await deployer.deploy(one);
  await finish(service);
  const { configNumber } = await deployer.deploy(both);
  await finish(service);
  const numbers = async () => readDeployedConfigs(await records()).all.map(({ number }) => number);
  for (let turn = 0; turn < 2; turn += 1) {
    expect((await deployer.reprocess(['todos'])).configNumber).toBe(configNumber);
    expect(await numbers()).toEqual([1, configNumber]);
    await finish(service);
    expect(await numbers()).toEqual([1, configNumber]);
  }
  expect((await records()).some(({ anew }) => anew?.includes('todos'))).toBe(true);
});
