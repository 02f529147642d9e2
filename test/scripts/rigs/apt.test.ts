import { expect, test } from 'vitest';
import { isLocked } from '../../../scripts/rigs/apt.ts';

test.each([
  ['E: Could not get lock /var/lib/apt/lists/lock. It is held by process 42 (apt-get)', true],
  ['E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend)', true],
  ['E: Unable to lock directory /var/lib/apt/lists/', true],
  ['E: Unable to locate package chromium', false],
  ['', false],
])('%j says that another process holds the lock: %s', (output, expected) => {
  expect(isLocked(output)).toBe(expected);
});
