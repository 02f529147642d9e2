/** Whether Git tracks a file: how it is asked, and what its index says where there is no Git. */
import { expect, test } from 'vitest';
import { trackingOf } from '../../../client/cli/init/tracked.ts';
import type { World } from '../../../client/cli/world.ts';
import { cliWorld } from '../../support/cli/cliWorld.ts';

/** Returns an index as `git add` writes it, as text, with the parts that are read here. */
function indexOf(...names: readonly string[]): string {
  const entries = names.map((name) => {
    const bytes = Buffer.from(name);
    const flags = Buffer.from([bytes.length >> 8, bytes.length & 0xff]);
    return Buffer.concat([Buffer.alloc(24, 0xc3), flags, bytes, Buffer.alloc(4)]);
  });
  return Buffer.concat([Buffer.from('DIRC\0\0\0\x02'), ...entries]).toString('utf8');
}

function worldIn(folder: string, index: string, platform: World['platform'] = process.platform): World {
  const files = new Map([
    ['/repository/.git/index', index],
    ['/repository/.git', ''],
  ]);
  return { ...cliWorld({}, files, [], []), folder: `/repository/${folder}`, platform };
}

test.each([
  ['the repository itself', '', '.env'],
  ['a folder', 'app', 'app/.env'],
  ['letters of several bytes', 'Ärger/日本', 'Ärger/日本/.env'],
  ['a long path', `${'a'.repeat(90)}/${'b'.repeat(90)}`, `${'a'.repeat(90)}/${'b'.repeat(90)}/.env`],
])('A file is tracked in %s', async (_, folder, name) => {
  expect(await trackingOf('.env', worldIn(folder, indexOf('a.txt', name, 'z.txt')))).toBe('tracked');
});

test('Only that file is', async () => {
  const index = indexOf('.env.local', 'x.env', 'app/.env', 'z/app/.env/x');
  expect(await trackingOf('.env', worldIn('', index))).toBe('untracked');
  expect(await trackingOf('.env', worldIn('other', index))).toBe('untracked');
});

const rows = [
  ['darwin', 'cafe\u0301', 'caf\u00e9/.env', 'tracked'],
  ['darwin', 'App', 'app/.env', 'tracked'],
  ['win32', 'App', 'app/.env', 'tracked'],
  ['linux', 'App', 'app/.env', 'untracked'],
] as const;
// Windows has separators of its own.
const here = rows.filter(([platform]) => process.platform !== 'win32' || platform === 'win32');
test.each(here)('%s: in the folder %j, %j is %s', async (platform, folder, name, tracking) => {
  expect(await trackingOf('.env', worldIn(folder, indexOf(name), platform))).toBe(tracking);
});

test('Without a repository, and before the first file is added, nothing is', async () => {
  expect(await trackingOf('.env', cliWorld({}, new Map(), [], []))).toBe('untracked');
  const files = new Map([['/repository/.git/HEAD', '']]);
  const isThere = (path: string) => path === '/repository/.git' || files.has(path);
  const world = cliWorld({}, files, [], []);
  const empty = { ...world, folder: '/repository', files: { ...world.files, exists: isThere } };
  expect(await trackingOf('.env', empty)).toBe('untracked');
});

test.each([
  ['has version 4', 'DIRC\0\0\0\x04\0.env.local\0'],
  ['is split', `${indexOf('a.txt')}link\0\0\0\x1c`],
  ['cannot be read', ''],
])('Nothing is claimed where the index %s', async (_, index) => {
  expect(await trackingOf('.env', worldIn('', index))).toBe('unknown');
});

test('Nothing is claimed in a worktree, whose index is elsewhere', async () => {
  const files = new Map([['/repository/.git', 'gitdir: /other/.git/worktrees/repository']]);
  const world = { ...cliWorld({}, files, [], []), folder: '/repository' };
  expect(await trackingOf('.env', world)).toBe('unknown');
});

test.each([
  [0, 'tracked'],
  [1, 'untracked'],
  [128, 'unknown'],
])('Where Git ends with %i, the file is %s', async (code, tracking) => {
  const world = {
    ...worldIn('', ''),
    startProgram: () => ({ ended: Promise.resolve(code), stop: () => {} }),
  };
  expect(await trackingOf('.env', world)).toBe(tracking);
});
