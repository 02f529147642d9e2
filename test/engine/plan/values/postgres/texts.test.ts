import { describe, expect, test } from 'vitest';
import { toConverter } from '../../../../../server/engine/plan/values/postgres/convert.ts';
import {
  arrayToJson,
  readFields,
  readRange,
  readRanges,
  UnreadableText,
} from '../../../../../server/engine/plan/values/postgres/texts.ts';

describe('malformed texts', () => {
  const arrays = ['', '{', '{1', '}', '{"a}', '{{1}', 'abc'];
  test.each(arrays)('are refused as arrays: %j', (text) => {
    expect(() => arrayToJson(text, ',', JSON.stringify)).toThrow(UnreadableText);
  });

  test.each(['(', '("a)', '(1,2', '("a"'])('are refused as rows: %j', (text) => {
    expect(() => readFields(text)).toThrow(UnreadableText);
  });

  test.each(['[', '[1', '[1,2', '["1,2]'])('are refused as ranges: %j', (text) => {
    expect(() => readRange(text)).toThrow(UnreadableText);
    expect(() => readRanges(`{${text}`)).toThrow(UnreadableText);
  });
});

test.each([
  ['16/1', '00000016/00000001'],
  ['0/0', '00000000/00000000'],
  ['16/B374D848', '00000016/B374D848'],
  ['FFFFFFFF/FFFFFFFF', 'FFFFFFFF/FFFFFFFF'],
])('both halves of the pg_lsn %s are padded', (text, expected) => {
  expect(toConverter(3220, new Map(), { timestampsIso8601: true, customPostgresTypes: true })(text)).toBe(
    expected,
  );
});
