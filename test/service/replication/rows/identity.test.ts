import { createHash } from 'node:crypto';
import { serialize } from 'bson';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../../server/engine/plan/evaluate/scope.ts';
import { toKeyOf } from '../../../../server/service/replication/rows/identity.ts';

function keyOf(row: Row): string {
  const identity = Object.keys(row).map((name) => ({ name, type: 'text' }));
  return toKeyOf({ identity, identityKind: 'default' })(row);
}

describe('the key of a row', () => {
  test.each([
    [{ id: '1' }, 'efcf1d7a-e9e4-5387-a529-ed12b8a7c972'],
    [{ id: 1n }, 'e44b92eb-93fa-52fa-b4da-9ccfe1d754fe'],
  ])('of %o is the same as in the reference service', (row, key) => {
    expect(keyOf(row)).toBe(key);
  });

  test('is the UUID of its BSON document, whatever the values and however many', () => {
    const value = fc.oneof(
      fc.constant(null),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double(),
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array(),
    );
    const name = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => !/[\0]|^\d+$|^__proto__$|^_bsontype$/.test(text));
    const row = fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 });
    fc.assert(
      fc.property(row, (values) => {
        expect(keyOf(values)).toBe(uuidOf(serialize(values, { ignoreUndefined: false })));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('does not depend on the rows before it', () => {
    const keyOfId = toKeyOf({ identity: [{ name: 'id', type: 'text' }], identityKind: 'default' });
    const long = keyOfId({ id: 'x'.repeat(5000) });
    expect(keyOfId({ id: '1' })).toBe('efcf1d7a-e9e4-5387-a529-ed12b8a7c972');
    expect(keyOfId({ id: 'x'.repeat(5000) })).toBe(long);
  });

  test('is random if rows have no identity', () => {
    const nothing = toKeyOf({ identity: [], identityKind: 'nothing' });
    expect(nothing({ id: '1' })).not.toBe(nothing({ id: '1' }));
  });
});

function uuidOf(document: Uint8Array): string {
  const namespace = Buffer.from('a396dd9109fc4017a28d3df722f651e9', 'hex');
  const bytes = createHash('sha1').update(namespace).update(document).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
