import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BucketRow, LookupRecord, RowResult } from '../../../../server/engine/plan/evaluate/rows.ts';
import {
  checksumOfPut,
  checksumOfRemove,
  putRow,
  removeRow,
} from '../../../../server/service/replication/rows/rowChange.ts';
import type { CurrentRow, RowWrite } from '../../../../server/service/storage/storage.ts';

describe('checksums', () => {
  test.each([
    [checksumOfPut('todos', '1', '{"id":"1"}'), 3145345093],
    [checksumOfPut('lists', 'a1', '{"id":"a1","name":"Groceries é"}'), 4229769916],
    [checksumOfRemove('abc/00000000-0000-0000-0000-000000000000'), 2845728156],
  ])('are those of the reference service: %i', (ours, theirs) => {
    expect(ours).toBe(theirs);
  });
});

const place = { table: 7, key: 'k', before: undefined };

describe('a row', () => {
  test('is put into its buckets, and removed from those that it has left', () => {
    const first = putRow(place, { rows: [row('a'), row('b')], entries: [] }, undefined);
    const second = putRow(
      { ...place, before: currentOf(first) },
      { rows: [row('b')], entries: [] },
      undefined,
    );
    expect(second.ops.map(({ op, bucket, subkey }) => `${op} ${bucket} ${subkey}`)).toEqual([
      'PUT b 7/k',
      'REMOVE a 7/k',
    ]);
  });

  test('is removed under the type and id that it was put under', () => {
    const first = putRow(place, { rows: [row('a', 'old')], entries: [] }, undefined);
    const second = putRow(
      { ...place, before: currentOf(first) },
      { rows: [row('a', 'new')], entries: [] },
      undefined,
    );
    expect(second.ops.map(({ op, id }) => `${op} ${id}`)).toEqual(['PUT new', 'REMOVE old']);
  });

  test('that two queries put into one bucket is in that bucket once', () => {
    const { ops, current } = putRow(place, { rows: [row('a'), row('a')], entries: [] }, undefined);
    expect(ops).toHaveLength(2);
    expect(current?.memberships).toEqual([{ bucket: 'a', type: 't', id: '1' }]);
  });

  test.each([
    ['has not moved', { rows: [row('a')], entries: [entry('l', 2n)] }, undefined, true],
    ['has moved', { rows: [row('b')], entries: [entry('l', 1n)] }, undefined, false],
    ['has another id', { rows: [row('a', '2')], entries: [entry('l', 1n)] }, undefined, false],
    ['has another lookup', { rows: [row('a')], entries: [entry('m', 1n)] }, undefined, false],
    ['has values to keep', { rows: [row('a')], entries: [entry('l', 1n)] }, new Uint8Array([1]), false],
  ])('that %s: whether its new state is already stored', (_what, result, values, expected) => {
    const first = putRow(place, { rows: [row('a')], entries: [entry('l', 1n)] }, undefined);
    expect(first.isStored).toBe(false);
    expect(putRow({ ...place, before: currentOf(first) }, result, values).isStored).toBe(expected);
  });

  test('with stored values that are no longer needed is not stored yet', () => {
    const first = putRow(place, { rows: [row('a')], entries: [] }, new Uint8Array(0));
    const second = putRow(
      { ...place, before: currentOf(first) },
      { rows: [row('a')], entries: [] },
      undefined,
    );
    expect(second.isStored).toBe(false);
  });

  test('has one entry with all of its values of a lookup, and an empty entry for a lookup that it has left', () => {
    const first = putRow(
      place,
      { rows: [], entries: [entry('l', 1n), entry('l', 2n), entry('m', 3n)] },
      undefined,
    );
    expect(first.lookups).toEqual([
      { lookup: 'l', values: [[1n], [2n]] },
      { lookup: 'm', values: [[3n]] },
    ]);
    const second = putRow(
      { ...place, before: currentOf(first) },
      { rows: [], entries: [entry('l', 1n)] },
      undefined,
    );
    expect(second.lookups).toEqual([
      { lookup: 'l', values: [[1n]] },
      { lookup: 'm', values: [] },
    ]);
    expect(second.current?.lookups).toEqual(['l']);
  });
});

test('after any history, clients have the rows of the last change, and every checksum is that of the operation that was sent', () => {
  const bucketRow = fc.record({
    bucket: fc.constantFrom('a', 'b', 'c'),
    table: fc.constantFrom('t', 'u'),
    id: fc.constantFrom('1', '2'),
    data: fc.string({ maxLength: 3 }),
  });
  const lookupEntry = fc.record({
    key: fc.constantFrom('l', 'm'),
    values: fc.array(fc.bigInt({ min: 0n, max: 2n }), { maxLength: 1 }),
  });
  const change = fc.option(
    fc.record({
      rows: fc.array(bucketRow, { maxLength: 4 }),
      entries: fc.array(lookupEntry, { maxLength: 3 }),
    }),
    { nil: undefined },
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
      const client = new Map<string, string | undefined>();
      const lookups = new Map<string, readonly unknown[]>();
      let current: CurrentRow | undefined;
      for (const result of changes) {
        if (result === undefined && current === undefined) continue;
        const write: RowWrite =
          result === undefined
            ? removeRow({ ...place, before: current as CurrentRow })
            : changeTo(result, current);
        for (const { op, bucket, type, id, subkey, data, checksum } of write.ops) {
          const key = `${bucket} ${type} ${id} ${subkey}`;
          // Removing a row that is not there would be a fault, even though clients tolerate it.
          if (op === 'REMOVE') expect(client.delete(key)).toBe(true);
          else client.set(key, data);
          expect(checksum).toBe(
            op === 'PUT' ? checksumOfPut(type, id, data ?? '') : checksumOfRemove(subkey),
          );
        }
        for (const { lookup, values } of write.lookups) {
          if (values.length === 0) lookups.delete(lookup);
          else lookups.set(lookup, values);
        }
        current = currentOf(write);
        const rows = new Map(
          (result?.rows ?? []).map((each) => [`${each.bucket} ${each.table} ${each.id} 7/k`, each.data]),
        );
        expect(Object.fromEntries(client)).toEqual(Object.fromEntries(rows));
        const entries: Record<string, unknown[]> = {};
        for (const { key, values } of result?.entries ?? []) entries[key] = [...(entries[key] ?? []), values];
        expect(Object.fromEntries(lookups)).toEqual(entries);
      }
    }),
    { seed: 3, numRuns: 300 },
  );
});

function row(bucket: string, id = '1'): BucketRow {
  return { bucket, table: 't', id, data: '{}' };
}

function entry(key: string, value: bigint): LookupRecord {
  return { key, values: [value] };
}

/** Returns the change of a row, and checks that it is the same if the row is taken for a new one although it is stored. */
function changeTo(result: Pick<RowResult, 'rows' | 'entries'>, before: CurrentRow | undefined): RowWrite {
  const write = putRow({ ...place, before }, result, undefined);
  const taken = putRow({ ...place, before: undefined, isNew: true }, result, undefined);
  const { ifStored, ...known } = before === undefined ? taken : (taken.ifStored?.(before) ?? taken);
  expect({ ...known, ifStored: undefined }).toEqual(write);
  return write;
}

function currentOf({ key, current }: RowWrite): CurrentRow | undefined {
  return current === null ? undefined : { ...current, key };
}
