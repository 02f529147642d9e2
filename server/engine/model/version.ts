/** Returns a short text that changes when a value changes, apart from hash collisions. */
import type { CatalogTable } from './catalog.ts';

export function versionOf(tables: readonly CatalogTable[]): string {
  const text = JSON.stringify(tables.map((table) => ({ ...table, columns: [...table.columns.values()] })));
  return `${text.length.toString(36)}-${hash(text, 0x9e3779b9).toString(36)}${hash(text, 0x85ebca6b).toString(36)}`;
}

/** Computes a 32-bit FNV-1a hash. */
function hash(text: string, seed: number): number {
  let state = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return state;
}
