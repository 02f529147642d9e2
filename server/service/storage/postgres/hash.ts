import { createHash } from 'node:crypto';

/** 128 bits of SHA-256, in the form of a UUID: for keys that may be longer than an index takes. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
