import { expect, test } from 'vitest';
import { sentenceParts } from '../../../client/console/parts/sentence.tsx';

test.each([
  ['Nothing is wrong.', ['Nothing is wrong.']],
  ['The key `wal_level` must be `logical`.', ['The key ', 'wal_level', ' must be ', 'logical', '.']],
  ['`lists` is missing.', ['', 'lists', ' is missing.']],
  ['It ends with a `.', ['It ends with a `.']],
])('the code in %j is found', (text, parts) => {
  expect(sentenceParts(text)).toEqual(parts);
});
