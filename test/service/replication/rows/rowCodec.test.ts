import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canRefetch, decodeRow, toRowCodec } from '../../../../server/service/replication/rows/rowCodec.ts';
import type { TableInfo } from '../../../../server/service/replication/source.ts';
import { tableId } from '../../../support/service/sourceIds.ts';

const table: TableInfo = {
  schema: 'public',
  name: 't',
  sourceId: tableId(1),
  identityKind: 'default',
  identity: [{ name: 'id', type: 'uuid' }],
};
const large = 'x'.repeat(300);

describe('the stored values of a row', () => {
  test('are read as they were written', () => {
    const { encode } = toRowCodec(table, false);
    const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array());
    const rows = fc.dictionary(
      fc.string({ unit: 'grapheme' }).filter((name) => name !== '__proto__'),
      value,
    );
    fc.assert(
      fc.property(rows, (row) => {
        expect({ ...decodeRow(encode(row)) }).toEqual(Object.keys(row).length === 0 ? {} : emptyUnless(row));
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  test('are only those that an update may leave out', () => {
    const { encode } = toRowCodec(table, true);
    expect({ ...decodeRow(encode({ id: 'a', n: 1n, r: 1.5, gone: null, body: large })) }).toEqual({
      id: 'a',
      body: large,
    });
    const known = toRowCodec({ ...table, omitted: ['body'] }, true);
    expect({ ...decodeRow(known.encode({ id: 'a', body: large })) }).toEqual({ body: large });
  });

  test.each<[string, Partial<TableInfo>, boolean]>([
    ['the source always sends whole rows', { omitted: [] }, false],
    ['the old row comes with each change', { identityKind: 'full' }, false],
  ])('are none if %s', (_when, changes, refetchable) => {
    expect(
      toRowCodec({ ...table, ...changes }, refetchable).encode({ id: 'a', body: large }),
    ).toBeUndefined();
  });

  test('are none for a small row that can be read again', () => {
    expect(toRowCodec(table, true).encode({ id: 'a', body: 'small' })).toBeUndefined();
    expect(toRowCodec(table, false).encode({ id: 'a', body: 'small' })).toBeDefined();
  });
});

test.each<[string, Partial<TableInfo>, boolean]>([
  ['one column of a simple type', {}, true],
  ['one column of another type', { identity: [{ name: 'id', type: 'numeric' }] }, false],
  ['two columns', { identity: [...table.identity, { name: 'n', type: 'int4' }] }, false],
  ['all columns', { identityKind: 'full' }, false],
  ['no column', { identity: [], identityKind: 'nothing' }, false],
])('rows identified by %s can be read again: %o %s', (_what, changes, expected) => {
  expect(canRefetch({ ...table, ...changes })).toBe(expected);
});

/** Returns no values for a row without a single character, because such a row is not worth a record. */
function emptyUnless(row: Readonly<Record<string, string | Uint8Array>>) {
  return Object.values(row).every(({ length }) => length === 0) ? {} : row;
}
