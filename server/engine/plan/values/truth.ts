/** Evaluates conditions with two-valued logic: NULL counts as false, and NOT NULL is true. */
import { leadingInteger } from './numbers.ts';
import type { SqlValue } from './value.ts';

// Matches hexadecimal numbers that are not 0.
const hexadecimal = /^\s*[+-]?0x0*[1-9a-f]/i;

/**
 * Whether a value is true. NULL, 0, 0.0, NaN and blobs are false. A text is true if the integer at its start is not 0; `0x1F`
 * counts as such an integer.
 */
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
