import { expect, test } from 'vitest';
import { bytesOfUuid } from '../../../server/service/storage/embedded/rowKeys.ts';

const uuid = '0190a6c4-7d1e-7c3a-9b2f-0123456789ab';

test.each([
  ['a UUID', uuid, true],
  ['a UUID in capitals', uuid.toUpperCase(), false],
  ['a UUID with another character at its end', `${uuid}0`, false],
  ['a UUID without its last digit', uuid.slice(0, -1), false],
  ['a UUID without hyphens', uuid.replaceAll('-', ''), false],
  ['a UUID with a digit for a hyphen', uuid.replace('-', '0'), false],
  ['a UUID with another letter', uuid.replace('a', 'g'), false],
  ['an empty text', '', false],
])('%s is written as 16 bytes: %s', (_, text, isWritten) => {
  const bytes = new Uint8Array(18);
  expect(bytesOfUuid(text, bytes, 1)).toBe(isWritten);
  if (isWritten) expect(Buffer.from(bytes).toString('hex')).toBe(`00${uuid.replaceAll('-', '')}00`);
});
