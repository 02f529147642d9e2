import type { Row } from '../../../engine/plan/evaluate/scope.ts';

/** Bytes that the values of a row take, roughly: a character counts as one. */
export function sizeOfRow(row: Row): number {
  let size = 0;
  for (const name in row) {
    const value = row[name];
    size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  }
  return size;
}
