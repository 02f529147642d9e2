/** A short text that differs when a value does, as far as chance allows. */
import type { CatalogTable } from './catalog.ts';

export function versionOf(tables: readonly CatalogTable[]): string {
  const text = JSON.stringify(tables.map((table) => ({ ...table, columns: [...table.columns.values()] })));
  return `${text.length.toString(36)}-${hash(text, 0x9e3779b9).toString(36)}${hash(text, 0x85ebca6b).toString(36)}`;
}

/** FNV-1a, 32 bits. */
function hash(text: string, seed: number): number {
  let state = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return state;
}
