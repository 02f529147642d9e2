/** Whether Git keeps a file, in folders of all names and on systems that compare names otherwise than its index. */
import { expect, test } from 'vitest';
import { isTracked } from '../../../client/cli/init/tracked.ts';
import type { World } from '../../../client/cli/world.ts';
import { cliWorld } from '../../support/cli/cliWorld.ts';

/** As `git add` writes an entry, as far as it is read here, and as a text. */
function indexOf(...names: readonly string[]): string {
  const entries = names.map((name) => {
    const bytes = Buffer.from(name);
    const flags = Buffer.from([bytes.length >> 8, bytes.length & 0xff]);
    return Buffer.concat([Buffer.from('DIRC'), Buffer.alloc(20, 0xc3), flags, bytes, Buffer.alloc(4)]);
  });
  return Buffer.concat(entries).toString('utf8');
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
  expect(await isTracked('.env', worldIn(folder, indexOf('a.txt', name, 'z.txt')))).toBe(true);
});

test('Only that file is', async () => {
  const index = indexOf('.env.local', 'x.env', 'app/.env', 'z/app/.env/x');
  expect(await isTracked('.env', worldIn('', index))).toBe(false);
  expect(await isTracked('.env', worldIn('other', index))).toBe(false);
});

const rows = [
  ['darwin', 'cafe\u0301', 'caf\u00e9/.env', true],
  ['darwin', 'App', 'app/.env', true],
  ['win32', 'App', 'app/.env', true],
  ['linux', 'App', 'app/.env', false],
] as const;
// Windows has separators of its own.
const here = rows.filter(([platform]) => process.platform !== 'win32' || platform === 'win32');
test.each(here)('%s: in the folder %j, %j is tracked: %s', async (platform, folder, name, isIt) => {
  expect(await isTracked('.env', worldIn(folder, indexOf(name), platform))).toBe(isIt);
});

test('Without a repository nothing is', async () => {
  expect(await isTracked('.env', cliWorld({}, new Map(), [], []))).toBe(false);
});
