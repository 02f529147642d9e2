/**
 * The texts that rows and requests must agree on: bucket ids and lookup keys. In both, an integral REAL is written
 * as an integer, so that INTEGER 1 and REAL 1.0 are one key.
 */
import { isPlain, quoteJson } from '../values/json.ts';
import type { SqlValue } from '../values/value.ts';

/** Key values joined as a JSON array, or nothing if one of them can be no key: NULL and BLOB name no bucket. */
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

/** The same for one value, after a prefix: few pieces, because every piece costs time. */
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

/** Class and value: what the values of two conditions on one key must have in common. */
export function exactText(value: SqlValue): string | undefined {
  if (value === null || typeof value === 'object') return undefined;
  return typeof value === 'number' ? `r${value}` : keyPart(value);
}
