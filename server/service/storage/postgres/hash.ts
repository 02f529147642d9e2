import { createHash } from 'node:crypto';

/** Returns 128 bits of SHA-256, from which a UUID can be made, for keys that may be too long for an index. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
