import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskFiles } from '../../../server/lsp/host/disk.ts';
import { isWanted } from '../../../server/lsp/host/wanted.ts';
import { pathFrom, type Uri, uriReader } from '../../../server/shared/uri.ts';

let root: string;
let folder: Uri;
const read = uriReader(process.platform);
const at = (path: string) => read(`${pathToFileURL(root).href}/${path}`);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headwater-'));
  folder = at('');
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test('Migrations and configs of a folder are found, but not in dependencies and build folders', async () => {
  for (const path of ['db/1 a.sql', 'sync.yaml', 'deep/er/powersync/x.yml', 'README.md', 'values.yaml'])
    write(path);
  for (const path of ['node_modules/x/a.sql', '.git/a.sql', 'dist/a.sql']) write(path);
  symlinkSync(root, join(root, 'circle'));
  const { paths: found } = await diskFiles.list(folder, isWanted);
  expect(found.map((uri) => pathFrom(folder, uri)).sort()).toEqual([
    'db/1 a.sql',
    'deep/er/powersync/x.yml',
    'sync.yaml',
  ]);
});

test('A text is read by its URI, but not from folders, large files and other machines', async () => {
  write('a b.sql', 'select 1');
  write('large.sql', ' '.repeat(5 * 1024 * 1024));
  expect(await diskFiles.read(at('a%20b.sql'))).toBe('select 1');
  for (const uri of [
    at('gone.sql'),
    folder,
    at('large.sql'),
    read('vscode-vfs://github/a.sql'),
    read('file:///%zz'),
  ])
    expect(await diskFiles.read(uri)).toBeUndefined();
});

test('The existence of a file is known only on this machine', () => {
  write('a/b.yaml');
  expect([at('a/b.yaml'), at('a'), at('c'), read('memfs:/x')].map(diskFiles.exists)).toEqual([
    true,
    true,
    false,
    undefined,
  ]);
});

test('A link to a file is listed, but a link to a folder is not followed', async () => {
  write('shared/1.sql', 'select 1');
  symlinkSync(join(root, 'shared/1.sql'), join(root, 'linked.sql'));
  symlinkSync(join(root, 'shared'), join(root, 'again'));
  symlinkSync(join(root, 'gone.sql'), join(root, 'nowhere.sql'));
  const { paths: found } = await diskFiles.list(folder, isWanted);
  expect(found.map((uri) => pathFrom(folder, uri)).sort()).toEqual(['linked.sql', 'shared/1.sql']);
});

test('A folder that no longer exists, for example on a network share, has no files', async () => {
  expect(await diskFiles.list(at('gone'), isWanted)).toEqual({
    paths: [],
    cut: { kind: 'unreadable', path: '.' },
  });
});
