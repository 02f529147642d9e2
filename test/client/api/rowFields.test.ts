import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRowFields } from '../../../client/api/rowFields.ts';

/** Draws the fields of a row as `id='1' n=9007199254740993 x=∅`. */
function drawn(data: string): string | undefined {
  const signs = {
    text: (text: string) => `'${text}'`,
    number: (text: string) => text,
    null: () => '∅',
  } as const;
  return readRowFields(data)
    ?.map(({ name, kind, text }) => `${name}=${signs[kind](text)}`)
    .join(' ');
}

test.each([
  ['{}', ''],
  ['{"id":"1","n":9007199254740993,"x":null}', "id='1' n=9007199254740993 x=∅"],
  [' { "a" : -1.5e+10 , "b" : "" } ', "a=-1.5e+10 b=''"],
  [String.raw`{"q":"a\"b\\","r":"\\\""}`, String.raw`q='a"b\' r='\"'`],
  ['{"a":true}', 'a=true'],
])('%s has the columns %s', (data, expected) => {
  expect(drawn(data)).toBe(expected);
});

test.each([
  '',
  'x',
  '[]',
  '{',
  '{"a"}',
  '{"a":1',
  '{"a":1,}',
  '{"a":{"b":1}}',
  '{"a":[1]}',
  '{"a":1} x',
  '{"a":"x',
])('%j is not a row', (data) => {
  expect(readRowFields(data)).toBeUndefined();
});

test('every object of strings, numbers and nulls is read as JSON.parse reads it', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (row) => {
      const fields = readRowFields(JSON.stringify(row)) ?? [];
      const read = fields.map(({ name, kind, text }) => [
        name,
        { text, number: Number(text), null: null }[kind],
      ]);
      const expected = Object.entries(JSON.parse(JSON.stringify(row)) as object);
      expect(read).toEqual(expected);
    }),
  );
});

test('a string of ten megabytes is read', () => {
  const body = '\\'.repeat(10_000_000);
  expect(readRowFields(JSON.stringify({ id: '1', body }))?.[1]?.text.length).toBe(body.length);
});
