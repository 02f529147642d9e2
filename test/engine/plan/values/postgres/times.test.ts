import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TimePrecision } from '../../../../../server/engine/model/definition.ts';
import {
  toTimeConverter,
  toTimestampConverter,
  toTimestampWithZoneConverter,
} from '../../../../../server/engine/plan/values/postgres/times.ts';
import { dateTime, toSqlValue } from '../../../../../server/engine/plan/values/source.ts';

const precision = fc.constantFrom<TimePrecision | undefined>(
  ...(['seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const),
  undefined,
);
const timeOptions = fc
  .record({ timestampsIso8601: fc.boolean(), timestampMaxPrecision: precision })
  .map(({ timestampsIso8601, timestampMaxPrecision }) => ({
    timestampsIso8601,
    ...(timestampMaxPrecision && { timestampMaxPrecision }),
  }));
/** A fraction of a second as Postgres writes it: without trailing zeros. */
const fraction = fc
  .integer({ min: 0, max: 999_999 })
  .map((micros) => `.${String(micros).padStart(6, '0')}`.replace(/\.?0+$/, ''));
const moment = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19));

describe('date and time values are written as the engine writes them', () => {
  test('for timestamps with and without a time zone', () => {
    fc.assert(
      fc.property(timeOptions, moment, fraction, (options, seconds, digits) => {
        const text = `${seconds.replace('T', ' ')}${digits}`;
        const form = { precision: 'microseconds' } as const;
        const plain = dateTime(`${seconds}${digits}`, form);
        const zoned = dateTime(`${seconds}${digits}Z`, form);
        expect(toTimestampConverter(options)(text)).toBe(toSqlValue(plain, options));
        expect(toTimestampWithZoneConverter(options)(`${text}+00`)).toBe(toSqlValue(zoned, options));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test('for times of day', () => {
    fc.assert(
      fc.property(timeOptions, moment, fraction, (options, seconds, digits) => {
        const text = `${seconds.slice(11)}${digits}`;
        const time = dateTime(text, { precision: 'microseconds', legacy: text });
        expect(toTimeConverter(options)(text)).toBe(toSqlValue(time, options));
      }),
      { seed: 2, numRuns: 300 },
    );
  });
});

test.each([
  ['seconds', '9999-12-31T23:59:59'],
  ['milliseconds', '9999-12-31T23:59:59.000'],
] as const)('infinity has the precision of the config: %s', (timestampMaxPrecision, expected) => {
  const convert = toTimestampConverter({ timestampsIso8601: true, timestampMaxPrecision });
  expect(convert('infinity')).toBe(expected);
});

test('infinity has a zone only if the type has one', () => {
  const iso = { timestampsIso8601: true } as const;
  const legacy = { timestampsIso8601: false } as const;
  const shown = ['infinity', '-infinity'].flatMap((text) =>
    [toTimestampConverter, toTimestampWithZoneConverter].flatMap((toConverter) => [
      toConverter(iso)(text),
      toConverter(legacy)(text),
    ]),
  );
  expect(shown).toEqual([
    '9999-12-31T23:59:59.000000',
    '9999-12-31 23:59:59',
    '9999-12-31T23:59:59.000000Z',
    '9999-12-31 23:59:59Z',
    '0000-01-01T00:00:00.000000',
    '0000-01-01 00:00:00',
    '0000-01-01T00:00:00.000000Z',
    '0000-01-01 00:00:00Z',
  ]);
});
