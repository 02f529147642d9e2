/**
 * The writes for one change of a row. They depend on the stored row and on the config's result for the new values: PUT for each
 * bucket of the row, REMOVE for each bucket that it has left, and the same for lookup entries.
 */
import { hash } from 'node:crypto';
import type { RowResult } from '../../../engine/plan/evaluate/rows.ts';
import type { SqlValue } from '../../../engine/plan/values/value.ts';
import type { CurrentRow, Membership, NewLookup, NewOp, RowWrite } from '../../storage/storage.ts';

/** The row to write, and its stored form. */
export interface Place {
  readonly table: number;
  readonly key: string;
  readonly before: StoredRow | undefined;
  /** Whether no stored row was looked up, because the source has just created the row. */
  readonly isNew?: boolean;
}

export type StoredRow = Omit<CurrentRow, 'key'>;

/** Returns the write of a row that has these values now. */
export function putRow(
  place: Place,
  result: Pick<RowResult, 'rows' | 'entries'>,
  values: Uint8Array | undefined,
  valuesIfStored = values,
): RowWrite {
  const { table, key, before, isNew } = place;
  const subkey = subkeyOf(place);
  const ops: NewOp[] = result.rows.map(({ bucket, table: type, id, data }) => ({
    bucket,
    op: 'PUT',
    checksum: checksumOfPut(type, id, data),
    type,
    id,
    subkey,
    data,
  }));
  const memberships = withoutDoubles(
    result.rows.map(({ bucket, table: type, id }) => ({ bucket, type, id })),
  );
  if (before !== undefined && before.memberships.length > 0) {
    const kept = new Set(memberships.map(membershipText));
    const left = before.memberships.filter((membership) => !kept.has(membershipText(membership)));
    ops.push(...removals(left, subkey));
  }
  const { lookups, names } = lookupsOf(result.entries, before?.lookups ?? []);
  const current = { values, memberships, lookups: names };
  return {
    table,
    key,
    ops,
    lookups,
    current,
    isStored: isStored(current, before),
    ifStored: isNew ? (found) => putRow({ table, key, before: found }, result, valuesIfStored) : undefined,
  };
}

/** Returns the write of a row that was deleted, or has another key now. */
export function removeRow(place: Place & { readonly before: StoredRow }): RowWrite {
  const { table, key, before } = place;
  return {
    table,
    key,
    ops: removals(before.memberships, subkeyOf(place)),
    lookups: before.lookups.map((lookup) => ({ lookup, values: [] })),
    current: null,
  };
}

/** Whether nothing must be written. Values are not compared, because few rows have any. */
function isStored({ values, memberships, lookups }: StoredRow, before: StoredRow | undefined): boolean {
  return (
    before !== undefined &&
    !before.hasRest &&
    values === undefined &&
    before.values === undefined &&
    isSame(memberships, before.memberships, isSameMembership) &&
    isSame(lookups, before.lookups, Object.is)
  );
}

function isSame<T>(one: readonly T[], other: readonly T[], areEqual: (a: T, b: T) => boolean): boolean {
  return one.length === other.length && one.every((item, index) => areEqual(item, other[index] as T));
}

function isSameMembership(one: Membership, other: Membership): boolean {
  return one.bucket === other.bucket && one.type === other.type && one.id === other.id;
}

/**
 * Returns the write of a row with unknown values. The row stays in its buckets as it was, until all of its values are known
 * again.
 */
export function keepRow({ table, key, before, isNew }: Place, values: Uint8Array | undefined): RowWrite {
  const { memberships, lookups } = before ?? { memberships: [], lookups: [] };
  return {
    table,
    key,
    ops: [],
    lookups: [],
    current: { values, memberships, lookups },
    ifStored: isNew ? (found) => keepRow({ table, key, before: found }, values) : undefined,
  };
}

/**
 * Returns the checksum of a PUT, whose sums clients verify: the first 4 bytes of a hash, little-endian, as in the reference
 * service.
 */
export function checksumOfPut(type: string, id: string, data: string): number {
  return checksumOf(`put.${type}.${id}.${data}`);
}

export function checksumOfRemove(subkey: string): number {
  return checksumOf(`delete.${subkey}`);
}

function checksumOf(text: string): number {
  // A text with one character for each byte is cheaper than a buffer, and than the hexadecimal form, which would have to be
  // parsed.
  const bytes = hash('sha256', text, 'binary');
  return (
    (bytes.charCodeAt(0) |
      (bytes.charCodeAt(1) << 8) |
      (bytes.charCodeAt(2) << 16) |
      (bytes.charCodeAt(3) << 24)) >>>
    0
  );
}

/** Returns a text that distinguishes source rows with the same type and id. */
function subkeyOf({ table, key }: Place): string {
  return `${table}/${key}`;
}

function removals(memberships: readonly Membership[], subkey: string): NewOp[] {
  if (memberships.length === 0) return [];
  const checksum = checksumOfRemove(subkey);
  return memberships.map((membership) => ({ ...membership, op: 'REMOVE', checksum, subkey }));
}

/** Removes duplicates, because two queries may put a row into the same bucket. */
export function withoutDoubles(memberships: readonly Membership[]): readonly Membership[] {
  if (memberships.length < 2) return memberships;
  return [...new Map(memberships.map((membership) => [membershipText(membership), membership])).values()];
}

function membershipText({ bucket, type, id }: Membership): string {
  return `${bucket.length},${type.length},${bucket}${type}${id}`;
}

/** Returns the value sets of this row by lookup. They are empty for lookups that the row no longer has. */
function lookupsOf(
  entries: RowResult['entries'],
  before: readonly string[],
): { readonly lookups: readonly NewLookup[]; readonly names: readonly string[] } {
  if (entries.length === 0 && before.length === 0) return { lookups: [], names: [] };
  const byName = new Map<string, (readonly SqlValue[])[]>();
  for (const { key, values } of entries) {
    const known = byName.get(key);
    if (known === undefined) byName.set(key, [values]);
    else known.push(values);
  }
  const names = [...byName.keys()];
  for (const lookup of before) if (!byName.has(lookup)) byName.set(lookup, []);
  return { lookups: [...byName].map(([lookup, values]) => ({ lookup, values })), names };
}
