/** The checksums of stored rows never change, because files that earlier releases have written contain them. */
import { expect, test } from 'vitest';
import {
  checkOfLookup,
  checkOfRow,
  checkOfRun,
} from '../../../server/service/storage/embedded/runs/checks.ts';

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 7) % 256);
const long = 'text '.repeat(40);

test.each([
  ['a run', checkOfRun(5, [1, 2, 3, 4, 5, null, null, null, long, null, null]), 3_178_578_124],
  [
    'a compressed run',
    checkOfRun(5, [2 ** 40, 2, 3, 4, 5, 6, bytes(8), bytes(3), '', bytes(20), 30]),
    2_551_668_832,
  ],
  [
    'a run with many heads',
    checkOfRun(5, [1, 2, 3, 4, 5, 6, bytes(200), bytes(3), 'b', null, null]),
    667_634_250,
  ],
  ['a row', checkOfRow(7, bytes(12), long, null), 2_516_213_930],
  ['a row with values', checkOfRow(7, bytes(12), bytes(8), bytes(9)), 3_285_288_652],
  ['a row with long lists', checkOfRow(7, bytes(12), bytes(200), bytes(9)), 2_909_786_742],
  ['a lookup entry', checkOfLookup('lookup', 7, bytes(12), 2 ** 40, long), 309_379_597],
])('%s', (_what, computed, stored) => {
  expect(computed).toBe(stored);
});
