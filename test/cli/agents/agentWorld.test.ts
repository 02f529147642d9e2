import { expect, test } from 'vitest';
import { agentWorld } from '../../../client/cli/agents/agentWorld.ts';
import type { World } from '../../../client/cli/world.ts';
import { cliWorld } from '../../support/cli/cliWorld.ts';

const readIn = (platform: World['platform'], named: string, drafted: string): Promise<string> => {
  const world = { ...cliWorld({}, new Map([[named, 'file']]), [], []), platform };
  const { signal } = new AbortController();
  return agentWorld(world, { reach: 'nothing', drafts: { [drafted]: 'draft' }, signal }).world.files.read(
    named,
  );
};

test.each([
  ['linux', 'sync.yaml', './sync.yaml', 'draft'],
  ['linux', 'sync.yaml', 'Sync.yaml', 'file'],
  ['win32', 'sync.yaml', 'Sync.yaml', 'draft'],
  ['darwin', 'sync.yaml', 'Sync.yaml', 'draft'],
  ['darwin', 'caf\u00e9.yaml', 'cafe\u0301.yaml', 'draft'],
] as const)('%s: %j is read with a draft of %j: the %s', async (platform, named, drafted, text) => {
  expect(await readIn(platform, named, drafted)).toBe(text);
});
