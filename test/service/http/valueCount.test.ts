import { Binary, Code, Decimal128, Long, MaxKey, ObjectId, serialize, Timestamp, UUID } from 'bson';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasMoreBsonValues, hasMoreJsonValues } from '../../../server/service/http/valueCount.ts';

/** Returns the number of values. Lists and objects count, and so do all values in them. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + countOf(each), 1);
}

test('the count of JSON values is at least the actual number, and at most twice as high', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, indent) => {
      const text = Buffer.from(JSON.stringify(value, null, indent));
      const count = countOf(value);
      expect(hasMoreJsonValues(text, 2 * count)).toBe(false);
      expect(hasMoreJsonValues(text, count - 1)).toBe(true);
    }),
  );
});

test('the content of a string does not count', () => {
  const text = Buffer.from(JSON.stringify({ a: '[,{\\",[['.repeat(1000) }));
  expect(hasMoreJsonValues(text, 3)).toBe(false);
});

describe('BSON values', () => {
  test('are counted exactly', () => {
    const document = fc.dictionary(
      fc.string().filter((key) => !key.includes('\0')),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(document, (value) => {
        const bytes = Buffer.from(serialize(value));
        const count = countOf(JSON.parse(JSON.stringify(value)));
        expect(hasMoreBsonValues(bytes, count)).toBe(false);
        expect(hasMoreBsonValues(bytes, count - 1)).toBe(true);
      }),
      // Short values at the very end.
      { examples: [[{ ' ': null, '': null }]] },
    );
  });

  test.each<[string, unknown]>([
    ['binary', new Binary(Buffer.alloc(20, 4))],
    ['UUID', new UUID()],
    ['ObjectId', new ObjectId()],
    ['date', new Date()],
    ['regular expression', /a[,{]/g],
    ['code', new Code('a')],
    ['timestamp', new Timestamp({ t: 1, i: 2 })],
    ['long', Long.fromNumber(5)],
    ['decimal', Decimal128.fromString('1.5')],
    ['greatest key', new MaxKey()],
  ])('of the type %s count once', (_, value) => {
    const bytes = Buffer.from(serialize({ a: value, b: [value, value], c: 1 }));
    expect(hasMoreBsonValues(bytes, 6)).toBe(false);
    expect(hasMoreBsonValues(bytes, 5)).toBe(true);
  });

  test('in the scope of code count in addition to the code', () => {
    const bytes = Buffer.from(serialize({ a: new Code('a', { x: 1, y: 'z' }), c: 1 }));
    expect(hasMoreBsonValues(bytes, 5)).toBe(false);
    expect(hasMoreBsonValues(bytes, 4)).toBe(true);
  });

  test('are counted in finite time, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200, size: 'max' }), (bytes) => {
        expect(hasMoreBsonValues(Buffer.from(bytes), 200)).toBe(false);
      }),
    );
  });
});
