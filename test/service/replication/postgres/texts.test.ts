import { describe, expect, test } from 'vitest';
import { readCopyLine } from '../../../../server/service/replication/postgres/copyText.ts';

import { isHidden, seesAll } from '../../../../server/service/replication/postgres/log/visibility.ts';

test('lines of a copy have their escapes undone, and only once', () => {
  expect(readCopyLine('a\t\\N\t\\\\N\tx\\ty\\nz\\\\t\t')).toEqual(['a', null, '\\N', 'x\ty\nz\\t', '']);
});

describe('a snapshot sees all that another one sees', () => {
  test.each([
    // Transaction 12 is still running in the first snapshot, and committed in the second.
    ['10:20:12,15', '10:20:15', false],
    ['10:20:15', '10:20:12,15', true],
    ['10:20:12,15', '10:20:12,15', true],
    // Transactions that have begun since need not be visible.
    ['10:30:25', '10:20:', true],
    ['10:20:', '10:25:', false],
    ['10:20:', '10:22:20,21', true],
    // Ids of the second round have 64 bits here.
    ['4294967290:4294967310:4294967305', '4294967290:4294967310:', false],
    ['4294967290:4294967310:', '4294967290:4294967310:4294967305', true],
  ])('%s, and %s: %s', (snapshot, other, expected) => {
    expect(seesAll(snapshot, other)).toBe(expected);
  });
});

describe('a snapshot hides', () => {
  test.each([
    ['10:20:12,15', 12, true],
    ['10:20:12,15', 13, false],
    ['10:20:', 19, false],
    ['10:20:', 20, true],
    ['10:20:', 9, false],
    // The second round of ids.
    ['4294967290:4294967300:4294967298', 2, true],
    ['4294967290:4294967300:4294967298', 3, false],
    ['4294967290:4294967300:4294967298', 4, true],
    ['4294967290:4294967300:4294967298', 4_294_967_295, false],
  ])('%s: %i is %s', (snapshot, xid, hidden) => {
    expect(isHidden(snapshot)(xid)).toBe(hidden);
  });
});
