import { expect, test } from 'vitest';
import { amountText, durationText, numberText } from '../../../client/console/parts/amounts.ts';
import { sizeText } from '../../../client/health/amounts.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_400_000, '1.4 MB'],
  [250_000_000, '250 MB'],
  [5e15, '5,000 TB'],
])('%d bytes are shown as %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));

test.each([
  [-5, '0 ms'],
  [350, '350 ms'],
  [12_000, '12 s'],
  [240_000, '4 min'],
  [3 * 3_600_000, '3 h'],
  [50 * 3_600_000, '2 days'],
])('%d milliseconds are shown as %s', (milliseconds, text) => expect(durationText(milliseconds)).toBe(text));

test('amounts have a noun in the singular or plural', () => {
  expect([amountText(1, 'row'), amountText(41_200, 'row')]).toEqual(['1 row', '41,200 rows']);
  expect(numberText(0.123)).toBe('0.12');
});
