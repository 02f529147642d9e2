/**
 * Writes the texts that must be equal for rows and requests: bucket ids and lookup keys. In both, an integral REAL is written as an
 * integer, so INTEGER 1 and REAL 1.0 are the same key.
 */
import { isPlain, quoteJson } from '../values/json.ts';
import type { SqlValue } from '../values/value.ts';

/** Joins key values as a JSON array. Returns undefined if one of them cannot be a key: NULL and BLOB name no bucket. */
export function bucketKeyText(values: readonly SqlValue[]): string | undefined {
  let text = '[';
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as SqlValue;
    if (value === null || typeof value === 'object') return undefined;
    if (i > 0) text += ',';
    text += keyPart(value);
  }
  return `${text}]`;
}

/** Returns the same function for a single value after a prefix. It joins few pieces, because every piece costs time. */
export function toKeyWriter(prefix: string): (value: SqlValue) => string | undefined {
  const opening = `${prefix}[`;
  const textOpening = `${opening}"`;
  return (value) => {
    if (value === null || typeof value === 'object') return undefined;
    if (typeof value === 'string' && isPlain(value)) return `${textOpening}${value}"]`;
    return `${opening}${keyPart(value)}]`;
  };
}

function keyPart(value: bigint | number | string): string {
  if (typeof value === 'string') return quoteJson(value);
  if (typeof value === 'bigint') return value.toString();
  return Number.isFinite(value) ? String(value) : 'null';
}

/** Returns a text for class and value, which must be equal for the values of two conditions on the same key. */
export function exactText(value: SqlValue): string | undefined {
  if (value === null || typeof value === 'object') return undefined;
  return typeof value === 'number' ? `r${value}` : keyPart(value);
}
