import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Log } from '../../../server/service/ground/log.ts';
import { makePrivate } from '../../../server/service/ground/privateFiles.ts';

let folder: string;
let said: unknown[];
const log: Log = { write: (...line: unknown[]) => void said.push(line) } as Log;
const modeOf = (name: string): string => (statSync(join(folder, name)).mode & 0o777).toString(8);

beforeEach(() => {
  said = [];
  folder = mkdtempSync(join(tmpdir(), 'headwater-modes-'));
  for (const name of ['data.sqlite', 'mine.txt']) writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'source'));
  writeFileSync(join(folder, 'source/1'), '');
  for (const [name, mode] of [
    ['data.sqlite', 0o644],
    ['mine.txt', 0o644],
    ['source/1', 0o666],
    ['source', 0o755],
    ['.', 0o755],
  ] as const)
    chmodSync(join(folder, name), mode);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform === 'win32')('making a folder private', () => {
  test('changes the modes of the folder and of all our files, and is logged once', async () => {
    await makePrivate(folder, () => true, log);
    expect(['.', 'data.sqlite', 'source', 'source/1'].map(modeOf)).toEqual(['700', '600', '700', '600']);
    expect(said).toEqual([['warn', expect.any(String), { folder, files: 5 }]]);
    await makePrivate(folder, () => true, log);
    expect(said).toHaveLength(1);
  });

  test('keeps the modes of a user’s file and of the folder that contains it', async () => {
    await makePrivate(folder, (name) => name !== 'mine.txt', log);
    expect(['.', 'mine.txt', 'data.sqlite', 'source/1'].map(modeOf)).toEqual(['755', '644', '600', '600']);
  });

  test('does not change the target of a link', async () => {
    symlinkSync(join(folder, 'mine.txt'), join(folder, 'source/link'));
    await makePrivate(join(folder, 'source'), () => true, log);
    expect(modeOf('mine.txt')).toBe('644');
  });

  test('has no effect if the folder does not exist', async () => {
    await makePrivate(join(folder, 'nowhere'), () => true, log);
    expect(said).toEqual([]);
  });
});
