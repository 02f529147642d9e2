/** The search for the files of a project. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectFilesBelow } from '../server/shared/files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headwater-search-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
}

function ignore(folder: string, ...patterns: readonly string[]): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, '.gitignore'), patterns.join('\n'));
}

async function find(folder = '', most = 100) {
  const { paths, cut } = await projectFilesBelow(join(root, folder), {
    isWanted: (path) => path.endsWith('.sql'),
    most,
  });
  return { paths: paths.toSorted(), cut };
}

describe('Folders that .gitignore excludes are not searched', () => {
  test('whatever they contain', async () => {
    ignore('', 'backups/', '/data');
    write('backups/1.sql', 'db/backups/2.sql', 'data/3.sql', 'db/data/4.sql', 'db/5.sql');
    expect(await find()).toEqual({ paths: ['db/5.sql', 'db/data/4.sql'], cut: undefined });
  });

  test('and the .gitignore of an inner folder takes precedence', async () => {
    ignore('', 'generated');
    ignore('db', '!generated');
    write('generated/1.sql', 'db/generated/2.sql');
    expect((await find()).paths).toEqual(['db/generated/2.sql']);
  });

  test('also if a folder of the repository is searched', async () => {
    mkdirSync(join(root, '.git'));
    ignore('', 'app/old', 'tmp');
    write('app/old/1.sql', 'app/tmp/2.sql', 'app/3.sql');
    expect((await find('app')).paths).toEqual(['3.sql']);
  });

  test('unless the user has chosen an ignored folder', async () => {
    mkdirSync(join(root, '.git'));
    ignore('', 'scratch', 'scratch/db');
    write('scratch/db/1.sql');
    expect((await find('scratch')).paths).toEqual(['db/1.sql']);
  });

  test('but a file that is ignored itself is found', async () => {
    ignore('', '*.sql');
    write('schema.sql');
    expect((await find()).paths).toEqual(['schema.sql']);
  });
});

describe('A search reports that it was cut short', () => {
  test('not by files that are not wanted', async () => {
    write('a.txt', 'b.txt', 'c.txt', 'd.sql', 'e.sql');
    expect(await find('', 2)).toEqual({ paths: ['d.sql', 'e.sql'], cut: undefined });
  });

  test('by more wanted files than the limit', async () => {
    write('d.sql', 'e.sql', 'f.sql');
    expect(await find('', 2)).toMatchObject({ cut: { kind: 'files', most: 2 } });
  });

  test('by a folder that is too deep', async () => {
    write(`${'a/'.repeat(20)}1.sql`);
    expect(await find()).toMatchObject({ paths: [], cut: { kind: 'deep' } });
  });

  test('by a link to a folder elsewhere, but not to one that is searched anyway', async () => {
    write('db/1.sql');
    symlinkSync(join(root, 'db'), join(root, 'again'));
    expect(await find()).toEqual({ paths: ['db/1.sql'], cut: undefined });
    symlinkSync(tmpdir(), join(root, 'elsewhere'));
    expect(await find()).toEqual({ paths: ['db/1.sql'], cut: { kind: 'link', path: 'elsewhere' } });
  });
});
