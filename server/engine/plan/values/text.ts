/** Any value as text, the way `||`, `upper()` and the casts see it. */
import { realToText } from './numbers.ts';
import type { SqlValue } from './value.ts';

const decoder = new TextDecoder('utf-8');
const encoder = new TextEncoder();

export function toText(value: Exclude<SqlValue, null>): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
      return value.toString();
    case 'number':
      return realToText(value);
    default:
      return decoder.decode(value);
  }
}

export function toTextOrNull(value: SqlValue): string | null {
  return value === null ? null : toText(value);
}

/** The bytes of a BLOB, or the UTF-8 of anything else's text. */
export function toBytes(value: Exclude<SqlValue, null>): Uint8Array {
  return value instanceof Uint8Array ? value : encoder.encode(toText(value));
}
