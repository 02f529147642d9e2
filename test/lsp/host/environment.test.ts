import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environmentNamesFrom } from '../../../server/lsp/host/environment.ts';
import { uriOfPath, uriReader } from '../../../server/shared/uri.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headwater-environment-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

function namesAt(path: string, variables: Record<string, string> = {}): readonly string[] {
  return environmentNamesFrom(variables)(uriOfPath(join(root, path), process.platform));
}

test('Names are read from the .env files of the folder and of the folders above, then from the process', () => {
  write('.git/HEAD', '');
  write('.env', 'PS_ABOVE=1\n');
  write('powersync/.env.local', 'PS_HERE=1\n');
  expect(namesAt('powersync/service.yaml', { PS_PROCESS: 'secret' })).toEqual([
    'PS_HERE',
    'PS_ABOVE',
    'PS_PROCESS',
  ]);
});

test('Files above the root of a repository are not read', () => {
  write('.env', 'PS_OUTSIDE=1\n');
  write('repository/.git/HEAD', '');
  write('repository/.env', 'PS_INSIDE=1\n');
  expect(namesAt('repository/service.yaml')).toEqual(['PS_INSIDE']);
});

test('A folder named .env, a file with another name, and an address that is not a file contain no names', () => {
  write('.git/HEAD', '');
  mkdirSync(join(root, '.env'));
  write('.environment', 'PS_OTHER=1\n');
  expect(namesAt('service.yaml')).toEqual([]);
  expect(environmentNamesFrom({})(uriReader('linux')('vscode-vfs://github/a/b/service.yaml'))).toEqual([]);
});

const canMakePipes = spawnSync('mkfifo', ['--version']).error === undefined;

test.skipIf(!canMakePipes)('A pipe named .env does not block', () => {
  mkdirSync(join(root, '.git'));
  execFileSync('mkfifo', [join(root, '.env')]);
  expect(namesAt('service.yaml')).toEqual([]);
});

test('Only names are read, not values or comments', () => {
  write('.git/HEAD', '');
  write('.env', '# PS_COMMENT=1\nPS_A="PS_VALUE=2"\r\n  export PS_B = x\nno line\n=3\nPS_C=\n');
  write('powersync/.env', 'PS_KEY="first line\nPS_INSIDE=2"\nPS WITH BLANKS=1\n');
  expect(namesAt('service.yaml').toSorted()).toEqual(['PS_A', 'PS_B', 'PS_C']);
  expect(namesAt('powersync/service.yaml')[0]).toBe('PS_KEY');
});
