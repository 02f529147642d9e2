import { describe, expect, test } from 'vitest';
import { readDeployedConfigs } from '../../../server/service/deployments/deployedConfigs.ts';
import { openDeployer } from '../../../server/service/deployments/deployer.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import { storedTextsOf } from '../../../server/service/storage/deployment.ts';
import { createManualClock } from '../../support/service/manualClock.ts';
import { createMemoryStorage } from '../../support/service/memoryStorage.ts';

const queries = {
  lists: 'SELECT * FROM lists WHERE owner_id = auth.user_id()',
  todos: 'SELECT * FROM todos WHERE owner_id = auth.user_id()',
  shared: 'SELECT * FROM lists WHERE shared_with = auth.user_id()',
};
type Stream = keyof typeof queries;

function configOf(...streams: readonly Stream[]): string {
  const lines = streams.map((name) => `  ${name}: { auto_subscribe: true, query: "${queries[name]}" }\n`);
  return `config: { edition: 3 }\nstreams:\n${lines.join('')}`;
}

/** Opens a deployer for which these streams are active. */
async function serve(...streams: readonly Stream[]) {
  const store = createMemoryStorage().deployments;
  let changes = 0;
  const deployer = openDeployer({
    store,
    configs: openSyncConfigs('public'),
    namePrefix: 'hw_',
    defaultStorageVersion: 2,
    clock: createManualClock(),
    drawHex: () => '0001',
    onChange: () => {
      changes += 1;
    },
  });
  if (streams.length > 0) {
    const { id } = await deployer.deploy(configOf(...streams));
    await store.change(() => [{ kind: 'state', id, state: 'active' }]);
  }
  changes = 0;
  const foresee = async (...next: readonly Stream[]) => {
    const { outcome, replacesPending, streams: foreseen, tables } = await deployer.foresee(configOf(...next));
    const downloads = foreseen.map(
      ({ stream, change, isDownloaded }) => `${stream} ${change}${isDownloaded ? ', downloaded' : ''}`,
    );
    return { outcome, replacesPending, streams: downloads, tables: tables.map(({ name }) => name.text) };
  };
  return { deployer, store, foresee, changes: () => changes };
}

describe('the preview of a deploy', () => {
  test('shows that the first config is copied and downloaded completely', async () => {
    const { foresee, changes } = await serve();
    expect(await foresee('lists')).toEqual({
      outcome: 'copy',
      replacesPending: false,
      streams: ['lists new, downloaded'],
      tables: ['lists'],
    });
    expect(changes()).toBe(0);
  });

  test('shows no change for the active config', async () => {
    const { foresee } = await serve('lists');
    expect(await foresee('lists')).toEqual({
      outcome: 'nothing',
      replacesPending: false,
      streams: ['lists untouched'],
      tables: [],
    });
  });

  test('shows no copy for the removal of a stream', async () => {
    const { foresee } = await serve('lists', 'todos');
    expect(await foresee('lists')).toMatchObject({
      outcome: 'at once',
      streams: ['lists untouched', 'todos gone'],
    });
  });

  test('shows a copy of only the new stream', async () => {
    const { foresee } = await serve('lists');
    expect(await foresee('lists', 'todos')).toMatchObject({
      outcome: 'copy',
      streams: ['lists untouched', 'todos new, downloaded'],
      tables: ['todos'],
    });
  });

  test('shows that the same config is already being copied', async () => {
    const { deployer, foresee } = await serve('lists');
    await deployer.deploy(configOf('lists', 'todos'));
    expect(await foresee('lists', 'todos')).toEqual({
      outcome: 'under way',
      replacesPending: false,
      streams: ['lists untouched', 'todos new, downloaded'],
      tables: [],
    });
  });

  test('shows that a running copy of everything is downloaded completely', async () => {
    const { deployer, foresee } = await serve('lists', 'todos');
    await deployer.reprocess();
    expect(await foresee('lists', 'todos')).toEqual({
      outcome: 'under way',
      replacesPending: false,
      streams: ['lists untouched, downloaded', 'todos untouched, downloaded'],
      tables: [],
    });
  });

  test('shows that the active config ends the copy of another one', async () => {
    const { deployer, foresee } = await serve('lists');
    await deployer.deploy(configOf('lists', 'todos'));
    expect(await foresee('lists')).toEqual({
      outcome: 'at once',
      replacesPending: true,
      streams: ['lists untouched'],
      tables: [],
    });
  });

  test('shows that a removed stream is not downloaded', async () => {
    const { foresee } = await serve('lists');
    expect(await foresee('todos')).toMatchObject({
      outcome: 'copy',
      streams: ['todos new, downloaded', 'lists gone'],
      tables: ['todos'],
    });
  });

  test('of a config with errors is refused', async () => {
    const { deployer } = await serve('lists');
    await expect(deployer.foresee('streams: 7\n')).rejects.toMatchObject({ code: 'SVC_R0001' });
  });

  test('shows that another config replaces the one that is being copied', async () => {
    const { deployer, foresee } = await serve('lists');
    await deployer.deploy(configOf('lists', 'todos'));
    expect(await foresee('lists', 'shared')).toMatchObject({ outcome: 'copy', replacesPending: true });
  });
});

describe('a deploy', () => {
  test('copies at the requested rate, or at full speed without one', async () => {
    const { deployer } = await serve('lists');
    expect((await deployer.deploy(configOf('todos'), { rowsPerSecond: 7 })).pace).toEqual({
      rowsPerSecond: 7,
    });
    expect(await deployer.deploy(configOf('shared'))).not.toHaveProperty('pace');
  });

  test('of the config that is being copied sets the rate of that copy', async () => {
    const { deployer } = await serve('lists');
    const { id } = await deployer.deploy(configOf('todos'), { rowsPerSecond: 7 });
    expect(await deployer.deploy(configOf('todos'), { rowsPerSecond: 9 })).toMatchObject({
      id,
      pace: { rowsPerSecond: 9 },
    });
    expect(await deployer.deploy(configOf('todos'))).toMatchObject({ id, pace: { rowsPerSecond: 9 } });
  });

  test('of a config that is copied beside the active one keeps its user when it takes its place', async () => {
    const { deployer, store } = await serve('lists');
    const { id } = await deployer.deploy(configOf('lists', 'todos'), { by: 'Ada' });
    const before = (await store.all()).filter(({ state }) => state === 'active').flatMap(storedTextsOf);
    await deployer.tell({ kind: 'copied beside', id, before, storedTexts: before });
    const { all } = readDeployedConfigs(await store.all());
    expect(all.map(({ content, by }) => [content, by])).toEqual([
      [configOf('lists'), undefined],
      [configOf('lists', 'todos'), 'Ada'],
    ]);
  });

  test('of a config with errors is refused', async () => {
    const { deployer, changes } = await serve('lists');
    await expect(deployer.deploy('config: { edition: 3 }\nstreams: 7\n')).rejects.toMatchObject({
      code: 'SVC_R0001',
    });
    expect(changes()).toBe(0);
  });

  test('is refused because of its errors, and not because of its warnings', async () => {
    const { deployer } = await serve();
    const warned = `${configOf('lists')}  all: { auto_subscribe: true, query: "SELECT * FROM lists WHERE owner_id = NULL" }\n`;
    const message = async (text: string): Promise<string> =>
      deployer.deploy(text).then(
        () => 'deployed',
        (error: Error) => error.message,
      );
    expect(await message(warned)).toBe('deployed');
    const wrong = await message(`${warned}  broken: 7\n`);
    expect(wrong).toContain('broken');
    expect(wrong).not.toContain('NULL');
  });

  test('that is paused keeps its number, and one that is given up is gone', async () => {
    const { deployer } = await serve('lists');
    const { id, configNumber } = await deployer.deploy(configOf('todos'));
    expect(await deployer.control({ kind: 'pause' }, undefined)).toMatchObject({ id, configNumber });
    expect(await deployer.control({ kind: 'give up' }, undefined)).toBeUndefined();
  });

  test('wakes the jobs, as does every event of a deployment', async () => {
    const { deployer, changes } = await serve('lists');
    const { id } = await deployer.deploy(configOf('todos'));
    expect(changes()).toBe(1);
    await deployer.tell({ kind: 'torn down', id });
    expect(changes()).toBe(2);
  });
});

describe('copying again', () => {
  test('is refused while no config is active', async () => {
    await expect((await serve()).deployer.reprocess()).rejects.toMatchObject({ code: 'SVC_S4104' });
  });

  test('of all streams begins a new deployment of the same config', async () => {
    const { deployer, store } = await serve('lists');
    const again = await deployer.reprocess();
    expect(again).toMatchObject({ content: configOf('lists') });
    expect(again).not.toHaveProperty('base');
    expect((await store.all()).map(({ state }) => state)).toEqual(['active', 'processing']);
  });

  test('of an unknown stream is refused', async () => {
    const { deployer } = await serve('lists');
    await expect(deployer.reprocess(['lists', 'boxes', 'bags'])).rejects.toMatchObject({
      code: 'SVC_S4109',
      details: 'The active sync config has no stream "boxes", "bags".',
    });
  });

  test('of one stream begins a copy beside the active config', async () => {
    const { deployer, store } = await serve('lists', 'todos');
    const [active] = await store.all();
    expect(await deployer.reprocess(['todos'])).toMatchObject({ base: active?.id });
  });
});
