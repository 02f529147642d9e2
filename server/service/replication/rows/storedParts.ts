/** The stored rows without the rest of parts that were given up or are no longer served. */
import type { CurrentRow, ReplicationWriter, StoredContents } from '../../storage/storage.ts';

/** Whether a bucket, or the key of a lookup, belongs to a stored part. */
type IsStored = (key: string) => boolean;

export function withoutRest<Row extends Omit<CurrentRow, 'key'>>(row: Row, isStored: IsStored): Row {
  const { memberships, lookups } = row;
  if (memberships.every(({ bucket }) => isStored(bucket)) && lookups.every(isStored)) return row;
  return {
    ...row,
    memberships: memberships.filter(({ bucket }) => isStored(bucket)),
    lookups: lookups.filter(isStored),
    hasRest: true,
  };
}

/** Returns a writer that loads rows without their rest, so that a change of a row removes it. */
export function writerWithoutRest(writer: ReplicationWriter, isStored: IsStored): ReplicationWriter {
  const clean = (row: CurrentRow) => withoutRest(row, isStored);
  return {
    ...writer,
    currentRows: async (table, keys) =>
      (await writer.currentRows(table, keys)).map((row) => row && clean(row)),
    someRows: async (table, limit) => (await writer.someRows(table, limit)).map(clean),
    write: (batch) =>
      writer.write({
        ...batch,
        rows: batch.rows.map((row) => {
          const { ifStored } = row;
          return ifStored === undefined ? row : { ...row, ifStored: (before) => ifStored(clean(before)) };
        }),
      }),
  };
}

export function contentsWithoutRest(stored: StoredContents, isStored: IsStored): StoredContents {
  const clean = (row: CurrentRow) => withoutRest(row, isStored);
  return {
    ...stored,
    bucketsAfter: (bucket) =>
      someOf(
        bucket,
        stored.bucketsAfter,
        ({ name }) => isStored(name),
        ({ id }) => id,
      ),
    rowsAfter: async (table, key) => (await stored.rowsAfter(table, key)).map(clean),
    currentRows: async (table, keys) =>
      (await stored.currentRows(table, keys)).map((row) => row && clean(row)),
    lookupsAfter: (checkpoint, entry) =>
      someOf(
        entry,
        (after) => stored.lookupsAfter(checkpoint, after),
        ({ lookup }) => isStored(lookup),
        (last) => last,
      ),
  };
}

/** Returns some items. The result is empty only if there are none left. */
async function someOf<Item, Place>(
  from: Place,
  ask: (after: Place) => Promise<readonly Item[]>,
  isWanted: (item: Item) => boolean,
  placeOf: (item: Item) => Place,
): Promise<readonly Item[]> {
  for (let after = from; ; ) {
    const some = await ask(after);
    const last = some.at(-1);
    const wanted = some.filter(isWanted);
    if (last === undefined || wanted.length > 0) return wanted;
    after = placeOf(last);
  }
}
