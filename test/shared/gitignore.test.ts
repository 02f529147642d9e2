import { describe, expect, test } from 'vitest';
import { readGitignore } from '../../server/shared/gitignore.ts';

describe('A folder is', () => {
  test.each([
    ['ignored', 'backups', 'backups'],
    ['ignored', 'backups/', 'a/backups'],
    ['ignored', '/backups', 'backups'],
    ['unknown', '/backups', 'a/backups'],
    ['ignored', 'a/b', 'a/b'],
    ['unknown', 'a/b', 'x/a/b'],
    ['ignored', '**/b', 'x/a/b'],
    ['ignored', 'a/**/b', 'a/b'],
    ['ignored', 'a/**/b', 'a/x/y/b'],
    ['unknown', 'a/**', 'a'],
    ['ignored', 'a/**', 'a/x'],
    ['ignored', '*-backup', 'db-backup'],
    ['unknown', '*-backup', 'db-backup2'],
    ['ignored', 'v?', 'v1'],
    ['ignored', 'v[0-9]', 'v1'],
    ['unknown', 'v[!0-9]', 'v1'],
    ['ignored', '\\#odd', '#odd'],
    ['unknown', '# backups', 'backups'],
    ['ignored', 'backups \r', 'backups'],
    ['ignored', '*', 'anything'],
    ['kept', '*\n!kept', 'kept'],
    ['ignored', '!kept\n*', 'kept'],
    ['unknown', '', 'a'],
    ['unknown', 'v[z-a]', 'v1'],
  ])('%s by %j: %s', (verdict, text, path) => {
    expect(readGitignore(text)(path)).toBe(verdict);
  });
});

test('A pattern with many stars takes no longer than its length times that of the name', () => {
  const rules = readGitignore(`${'*a'.repeat(200)}b`);
  expect(rules('a'.repeat(5_000))).toBe('unknown');
});
