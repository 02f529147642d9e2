import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cacheRoot, ensureCached } from '../../../scripts/rigs/cache.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headwater-cache-'));
});

afterEach(() => rmSync(root, { recursive: true }));

const fill = async (folder: string) => writeFileSync(join(folder, 'file'), 'filled');

test('a folder in the cache is not made again', async () => {
  const folder = await ensureCached('thing-1', fill, { root });
  const again = await ensureCached('thing-1', () => Promise.reject(new Error('made again')), { root });
  expect(again).toBe(folder);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('filled');
});

test('two runs at the same time do the work only once', async () => {
  let times = 0;
  const slowly = async (folder: string) => {
    times += 1;
    await new Promise((resolve) => setImmediate(resolve));
    await fill(folder);
  };
  await Promise.all([ensureCached('thing-1', slowly, { root }), ensureCached('thing-1', slowly, { root })]);
  expect(times).toBe(1);
});

test('a failure leaves nothing behind, so that the next run can try again', async () => {
  const broken = async (folder: string) => {
    await fill(folder);
    throw new Error('no network');
  };
  await expect(ensureCached('thing-1', broken, { root })).rejects.toThrow('no network');
  expect(readdirSync(root)).toEqual([]);
  expect(existsSync(await ensureCached('thing-1', fill, { root }))).toBe(true);
});

test('the lock of an ended process is taken over', async () => {
  // Larger than any process id of Linux and macOS.
  writeFileSync(join(root, 'thing-1.lock'), '4194305');
  await ensureCached('thing-1', fill, { root });
  expect(readdirSync(root)).toEqual(['thing-1']);
});

test('waiting for the lock of a running process has a time limit', async () => {
  writeFileSync(join(root, 'thing-1.lock'), String(process.pid));
  await expect(ensureCached('thing-1', fill, { root, lockTimeoutMs: 0 })).rejects.toThrow(
    /Another run holds/,
  );
});

test.each([
  [{ HEADWATER_CACHE: '/c', XDG_CACHE_HOME: '/x' }, '/c'],
  [{ XDG_CACHE_HOME: '/x' }, join('/x', 'headwater')],
  [{ XDG_CACHE_HOME: '' }, expect.stringMatching(/\.cache[\\/]headwater$/)],
])('the environment %o determines the folder of the cache', (env, expected) => {
  expect(cacheRoot(env)).toEqual(expected);
});

test('an interrupted run leaves no incomplete folder', () => {
  const cache = JSON.stringify(
    pathToFileURL(join(import.meta.dirname, '../../../scripts/rigs/cache.ts')).href,
  );
  const program = `const { ensureCached } = await import(${cache});
    const { writeFileSync } = await import('node:fs');
    await ensureCached('tool-1', async (into) => { writeFileSync(into + '/half', ''); process.exit(7); }, { root: ${JSON.stringify(root)} });`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
  expect(status).toBe(7);
  expect(readdirSync(root)).toEqual([]);
});
