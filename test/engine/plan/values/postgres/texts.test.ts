import { describe, expect, test } from 'vitest';
import {
  arrayToJson,
  readFields,
  readRange,
  readRanges,
  UnreadableText,
} from '../../../../../server/engine/plan/values/postgres/texts.ts';

describe('texts that are not what they should be', () => {
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
