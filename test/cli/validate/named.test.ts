import { expect, test } from 'vitest';
import { filesToCheck } from '../../../client/cli/validate/named.ts';
import type { World } from '../../../client/cli/world.ts';
import { cliWorld } from '../../support/cli/cliWorld.ts';

const worldOf = (platform: World['platform']): World => ({
  ...cliWorld(
    {},
    new Map([
      ['sync.yaml', ''],
      ['other/sync.yaml', ''],
    ]),
    [],
    [],
  ),
  platform,
});

test.each([
  ['linux', ['sync.yaml', './sync.yaml'], 1],
  ['linux', ['sync.yaml', 'SYNC.yaml'], 2],
  ['win32', ['sync.yaml', 'SYNC.yaml'], 1],
  ['darwin', ['other/sync.yaml', 'Other/sync.yaml'], 1],
] as const)('%s: of %j, so many files are checked: %i', async (platform, words, count) => {
  expect(await filesToCheck(words, worldOf(platform))).toHaveLength(count);
});

test('A file of a folder that is also named by itself counts as named', async () => {
  const found = await filesToCheck(['other/sync.yaml', 'other'], worldOf('linux'));
  expect(found).toEqual([{ path: 'other/sync.yaml', isNamed: true }]);
});
