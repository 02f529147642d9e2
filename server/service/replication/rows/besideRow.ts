/** Adds the results of the added parts to a stored row, for a row that a copy has read. Everything else of the row stays. */
import type { RowResult } from '../../../engine/plan/evaluate/rows.ts';
import type { Membership, RowWrite } from '../../storage/storage.ts';
import { type Place, putRow } from './rowChange.ts';

interface AddedResult extends Pick<RowResult, 'rows' | 'entries'> {
  /** Whether a bucket, or a lookup, belongs to the added parts. */
  readonly isAdded: (key: string) => boolean;
}

/**
 * Returns undefined if nothing must be written: the row is already in the added buckets, and the stream delivers its later
 * changes.
 *
 * @param values the values to store for a row that is not stored yet; for a stored row, its own values stay, because they match
 * the position of the stream
 */
export function addToRow(
  { table, key, before }: Place,
  { rows, entries, isAdded }: AddedResult,
  values: Uint8Array | undefined,
): RowWrite | undefined {
  if (before === undefined) return putRow({ table, key, before }, { rows, entries }, values);
  const own = {
    values: undefined,
    memberships: before.memberships.filter(({ bucket }) => isAdded(bucket)),
    lookups: before.lookups.filter(isAdded),
  };
  const { ops, lookups, current } = putRow({ table, key, before: own }, { rows, entries }, undefined);
  if (current === null) return undefined;
  const isThere =
    textOfPlaces(current.memberships) === textOfPlaces(own.memberships) &&
    current.lookups.join() === own.lookups.join();
  if (isThere) return undefined;
  return {
    table,
    key,
    ops,
    lookups,
    current: {
      values: before.values,
      memberships: [...before.memberships.filter(({ bucket }) => !isAdded(bucket)), ...current.memberships],
      lookups: [...before.lookups.filter((lookup) => !isAdded(lookup)), ...current.lookups],
    },
  };
}

function textOfPlaces(memberships: readonly Membership[]): string {
  return JSON.stringify(memberships.map(({ bucket, type, id }) => [bucket, type, id]));
}
