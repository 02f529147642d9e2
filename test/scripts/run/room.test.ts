import { expect, test } from 'vitest';
import { lackOfRoom } from '../../../scripts/run/room.ts';

test('a full folder for temporary files is named, with what to do', () => {
  expect(lackOfRoom('/tmp', 3e9)).toBeUndefined();
  expect(lackOfRoom('/tmp', 2.5e8)).toBe(
    'The folder for temporary files, /tmp, has 0.3 GB left, and the tests need 3.0 GB. Make room, or set TMPDIR to another folder.',
  );
});
