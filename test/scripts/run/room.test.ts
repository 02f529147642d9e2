import { expect, test } from 'vitest';
import { findFolderInMemory, lackOfRoom } from '../../../scripts/run/room.ts';

test('a full folder for temporary files is named, with what to do', () => {
  expect(lackOfRoom('/tmp', 3e9)).toBeUndefined();
  expect(lackOfRoom('/tmp', 2.5e8)).toBe(
    'The folder for temporary files, /tmp, has 0.3 GB left, and the tests need 3.0 GB. Make room, or set TMPDIR to another folder.',
  );
});

test.each([
  ['tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0', 16e9, 8e9, '/dev/shm'],
  ['tmpfs /dev/shm tmpfs rw,nosuid,nodev,noexec 0 0', 16e9, 8e9, undefined],
  ['tmpfs /dev/shm tmpfs ro 0 0', 16e9, 8e9, undefined],
  ['tmpfs /dev/shm tmpfs rw 0 0', 4e9, 8e9, undefined],
  ['tmpfs /dev/shm tmpfs rw 0 0', 16e9, 64e6, undefined],
  ['/dev/vda / ext4 rw 0 0', 16e9, 8e9, undefined],
  ['', 16e9, 8e9, undefined],
])(
  'temporary files are in memory only where that has room for them: %s, %d, %d',
  (line, freeMemory, free, folder) => {
    const mounts = `proc /proc proc rw 0 0\n${line}\n`;
    expect(findFolderInMemory({ mounts, freeMemory, freeBytesOf: () => free })).toBe(folder);
  },
);
