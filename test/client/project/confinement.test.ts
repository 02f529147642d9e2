/** Checks of paths from workspace settings, on the disk and with real links. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { confinedFile } from '../../../client/project/confinedFile.ts';
import { isConfined, repositoryAround } from '../../../client/project/confinement.ts';
import { uriOfPath } from '../../../server/shared/uri.ts';

let root = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-confinement-')));
  for (const path of ['app/sub/deep', 'app/.git', 'victim']) mkdirSync(join(root, path), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (path: string): string => join(root, path);

describe('A folder for data', () => {
  test.each([
    ['app/data', true],
    ['app', true],
    ['app/../app/data', true],
    ['victim', false],
    ['app/../victim', false],
    ['app2', false],
  ])('%s is confined to app: %s', (path, isIt) => {
    expect(isConfined(at(path), [at('app')])).toBe(isIt);
    expect(isConfined(at(path), [at('other'), at('app')])).toBe(isIt);
  });

  test('is not confined if it is a link, is below a link, or contains a link', () => {
    symlinkSync(at('victim'), at('app/link'));
    mkdirSync(at('app/data/inner'), { recursive: true });
    symlinkSync(at('victim'), at('app/data/inner/log'));
    for (const path of ['app/link', 'app/link/data', 'app/data'])
      expect(isConfined(at(path), [at('app')])).toBe(false);
  });
});

test('The project is the repository around a folder, or the folder itself', () => {
  expect(repositoryAround(at('app/sub/deep'))).toBe(at('app'));
  expect(repositoryAround(at('app'))).toBe(at('app'));
  expect(repositoryAround(at('victim'))).toBe(at('victim'));
  expect(repositoryAround(homedir())).toBe(homedir());
});

test('A repository around the home folder is not the project of the other folders in it', () => {
  mkdirSync(at('.git'));
  expect(repositoryAround(at('victim'))).toBe(root);
  expect(repositoryAround(at('victim'), at('users/ada'))).toBe(at('victim'));
  expect(repositoryAround(at('app/sub'), at('users/ada'))).toBe(at('app'));
});

describe('A file', () => {
  const folder = (): string => uriOfPath(at('app'), process.platform).text;
  const none = async (): Promise<boolean> => false;

  test.each([
    ['schema.json', 'schema.json'],
    ['./sub/../sub/schema.json', 'sub/schema.json'],
    ['sub\\schema.json', 'sub/schema.json'],
    ['../victim/schema.json', undefined],
    ['sub/../../victim/schema.json', undefined],
    ['..\\victim\\schema.json', undefined],
    ['.', undefined],
  ])('%s is written to %s', async (file, path) => {
    expect(await confinedFile(folder(), file, none)).toBe(path);
  });

  test('is not written through a link, to a file or to a folder above it', async () => {
    const isLink = (link: string) => async (path: string) => path === link;
    expect(await confinedFile(folder(), 'a/b.json', isLink('a'))).toBeUndefined();
    expect(await confinedFile(folder(), 'a/b.json', isLink('a/b.json'))).toBeUndefined();
    expect(await confinedFile(folder(), 'a/b.json', isLink('b.json'))).toBe('a/b.json');
  });
});
