import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packLists, unpackLists } from '../../../server/service/storage/embedded/lists/packedLists.ts';
import { writeLists } from '../../../server/service/storage/rowLists.ts';
import type { CurrentRow } from '../../../server/service/storage/storage.ts';
import { casesOf } from '../../support/house/share.ts';

type RowLists = Pick<CurrentRow, 'memberships' | 'lookups'>;

/** Numbers in the order in which the names come, from some number on. */
function numbersFrom(first: number) {
  const names: string[] = [];
  return {
    numberOf: (name: string) => {
      if (!names.includes(name)) names.push(name);
      return first + names.indexOf(name);
    },
    nameOf: (number: number) => names[number - first] ?? 'unknown',
  };
}

function packedAndBack(lists: RowLists, first = 1): RowLists {
  const { numberOf, nameOf } = numbersFrom(first);
  return unpackLists(new Uint8Array(packLists(lists, numberOf)), nameOf);
}

const uuid = '0b5a0001-9c4d-4e6f-8a7b-00ff10a0c9d8';

describe('where a row is, as bytes', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.uuid(),
    fc.uuid().map((id) => id.toUpperCase()),
    fc.uuid().map((id) => id.replaceAll('-', '')),
    // Half of a pair is not UTF-8.
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  );
  const membership = fc.record({ bucket: text, type: text, id: text });
  const listed = fc.record({ memberships: fc.array(membership), lookups: fc.array(text) });

  test('is read as it was written', () => {
    fc.assert(
      fc.property(listed, fc.nat(2 ** 40), (lists, first) => {
        expect(packedAndBack(lists, first)).toEqual(lists);
      }),
      { numRuns: casesOf(300) },
    );
  });

  test.each([
    ['nothing', { memberships: [], lookups: [] }],
    ['a UUID', { memberships: [{ bucket: 'a', type: 't', id: uuid }], lookups: [uuid] }],
    ['almost a UUID', { memberships: [], lookups: [`${uuid.slice(0, -1)}g`, uuid.replaceAll('-', '_')] }],
    ['UUIDs with other hyphens', { memberships: [], lookups: [`-${uuid.replace('-', '')}`, '-'.repeat(36)] }],
    ['UUIDs in capitals', { memberships: [], lookups: [uuid.toUpperCase(), uuid.replace('b', 'B')] }],
    ['half of a pair', { memberships: [{ bucket: 'a', type: 't', id: '\ud800' }], lookups: ['a\udc00b'] }],
    ['long texts', { memberships: [], lookups: ['x'.repeat(100_000), 'é'.repeat(70_000)] }],
    [
      'the same type and id in several buckets',
      { memberships: ['a', 'b', 'c'].map((bucket) => ({ bucket, type: 't', id: 'é' })), lookups: ['l'] },
    ],
    [
      'another type or id in the next bucket',
      {
        memberships: [
          { bucket: 'a', type: 't', id: 'x' },
          { bucket: 'a', type: 't', id: 'y' },
          { bucket: 'a', type: 'u', id: 'y' },
        ],
        lookups: [],
      },
    ],
  ])('has %s', (_, lists) => {
    expect(packedAndBack(lists)).toEqual(lists);
  });

  test('takes a third of its JSON text', () => {
    const buckets = [`1#own|0["${uuid}"]`, '2#everything|0[]'];
    const lists = {
      memberships: buckets.map((bucket) => ({ bucket, type: 'items', id: uuid })),
      lookups: [],
    };
    const size = packLists(lists, numbersFrom(1_000).numberOf).length;
    expect(size).toBeLessThan(writeLists(lists).length / 3);
    expect(size).toBe(1 + 2 + (1 + 5) + (1 + 16) + 2);
  });
});
