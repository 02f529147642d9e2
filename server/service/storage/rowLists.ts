/** Converts the memberships and lookups of a row to one text and back. */
import type { CurrentRow } from './storage.ts';

type RowLists = Pick<CurrentRow, 'memberships' | 'lookups'>;

export function writeLists({ memberships, lookups }: RowLists): string {
  return JSON.stringify([memberships.map(({ bucket, type, id }) => [bucket, type, id]), lookups]);
}

export function readLists(text: string): RowLists {
  const [memberships, lookups] = JSON.parse(text) as Lists;
  return { memberships: memberships.map(([bucket, type, id]) => ({ bucket, type, id })), lookups };
}

type Lists = readonly [readonly (readonly [bucket: string, type: string, id: string])[], readonly string[]];
