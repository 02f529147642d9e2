import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepFromOthers, readProjectText, readSqlText } from '../server/shared/files.ts';

const ran: (readonly string[])[] = [];

function keep(path: string, kind: 'file' | 'folder', changes: object = {}): Promise<boolean> {
  ran.length = 0;
  return keepFromOthers(path, kind, {
    platform: 'win32',
    env: { SystemRoot: 'C:\\Windows', USERDOMAIN: 'LAPTOP', USERNAME: 'Ada Lovelace' },
    home: 'C:\\Users\\Ada Lovelace',
    run: async (program, args) => {
      ran.push([program.replaceAll('/', '\\'), ...args]);
      return true;
    },
    ...changes,
  });
}

const trusted = (rights: string) => [`*S-1-5-18:${rights}`, `*S-1-5-32-544:${rights}`];

test('a file outside of the folder of its user gets rights of its own, by the system’s own program', async () => {
  expect(await keep('D:\\src\\.env', 'file')).toBe(true);
  expect(ran).toEqual([
    [
      'C:\\Windows\\System32\\icacls.exe',
      ...['D:\\src\\.env', '/inheritance:r', '/grant:r', 'LAPTOP\\Ada Lovelace:F', ...trusted('F'), '/q'],
    ],
  ]);
});

test('a folder hands them on to all that will be in it', async () => {
  await keep('D:\\src\\.headwater', 'folder');
  expect(ran[0]?.slice(4, -1)).toEqual(['LAPTOP\\Ada Lovelace:(OI)(CI)F', ...trusted('(OI)(CI)F')]);
});

test.each([
  ['in the folder of its user', 'c:\\users\\ADA LOVELACE\\app\\.env', {}],
  ['on other systems', '/srv/app/.env', { platform: 'linux', home: '/home/ada' }],
])('nothing is changed %s', async (_, path, changes) => {
  expect(await keep(path, 'file', changes)).toBe(true);
  expect(ran).toEqual([]);
});

test.each([
  ['Windows refuses', { run: async () => false }],
  ['the user has no name', { env: {} }],
])('it is told when %s', async (_, changes) => {
  expect(await keep('D:\\src\\.env', 'file', changes)).toBe(false);
});

test.each([
  ['UTF-8 with a mark', 'utf8'],
  ['UTF-16, as PowerShell writes it', 'utf16le'],
] as const)('an SQL file of a project is read in %s', async (_, encoding) => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-text-'));
  const path = join(folder, '1.SQL');
  writeFileSync(path, Buffer.from('\ufeffCREATE TABLE "Café" (id text);', encoding));
  expect(await readProjectText(path)).toBe('CREATE TABLE "Café" (id text);');
  expect(await readSqlText(path)).toBe('CREATE TABLE "Café" (id text);');
  rmSync(folder, { recursive: true });
});

test.each([
  ['the first line', "INSERT INTO cafes VALUES ('Café');\nSELECT 1;\n", 1],
  ['the last line', "SELECT 'ﬁ';\n\nINSERT INTO cafes VALUES ('Café')", 3],
])(
  'an SQL file with another encoding in %s is not run, because its texts would be others',
  async (_, text, line) => {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-text-'));
    const path = join(folder, '1.sql');
    writeFileSync(
      path,
      Buffer.concat(
        text.split('é').flatMap((part, n) => [Buffer.from(n > 0 ? [0xe9] : []), Buffer.from(part)]),
      ),
    );
    await expect(readSqlText(path)).rejects.toMatchObject({
      path,
      message: `line ${line} is not in UTF-8. Save the file in UTF-8.`,
    });
    rmSync(folder, { recursive: true });
  },
);
