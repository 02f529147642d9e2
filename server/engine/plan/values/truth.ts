/** Conditions are two-valued here: NULL counts as false, and NOT NULL is true. */
import { leadingInteger } from './numbers.ts';
import type { SqlValue } from './value.ts';

// Not 0 in any of its digits.
const hexadecimal = /^\s*[+-]?0x0*[1-9a-f]/i;

/** NULL, 0, 0.0, NaN and blobs are false; text is true when the integer that it starts with is not 0; `0x1F` is such an integer. */
export function isTrue(value: SqlValue): boolean {
  switch (typeof value) {
    case 'bigint':
      return value !== 0n;
    case 'number':
      return value !== 0 && !Number.isNaN(value);
    case 'string':
      return leadingInteger(value) !== 0n || hexadecimal.test(value);
    default:
      return false;
  }
}
