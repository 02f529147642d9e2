/** Conditions are two-valued here: NULL counts as false, and NOT NULL is true. */
import { leadingInteger } from './numbers.ts';
import type { SqlValue } from './value.ts';

/** NULL, 0, 0.0, NaN and blobs are false; text is true when the integer that it starts with is not 0. */
export function isTrue(value: SqlValue): boolean {
  switch (typeof value) {
    case 'bigint':
      return value !== 0n;
    case 'number':
      return value !== 0 && !Number.isNaN(value);
    case 'string':
      return leadingInteger(value) !== 0n;
    default:
      return false;
  }
}
