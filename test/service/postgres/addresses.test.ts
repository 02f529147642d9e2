import { expect, test } from 'vitest';
import { toIsRejected } from '../../../server/service/postgres/addresses.ts';

test.each([
  ['local', '127.0.0.1', true],
  ['local', '10.1.2.3', true],
  ['local', '172.31.0.1', true],
  ['local', '169.254.169.254', true],
  ['local', '100.64.0.1', true],
  ['local', '0.0.0.0', true],
  ['local', '::1', true],
  ['local', 'fd00::1', true],
  ['local', 'fe80::1', true],
  ['local', '::ffff:127.0.0.1', true],
  ['local', '8.8.8.8', false],
  ['local', '172.32.0.1', false],
  ['local', '2606:4700::1111', false],
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['2001:db8::/32', '2001:db8:1::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  // What cannot be read must not let anything pass.
  ['10.0.0.0/33', '8.8.8.8', true],
  ['everything', '8.8.8.8', true],
])('%s and %s: rejected is %s', (range, address, rejected) => {
  expect(toIsRejected([range])(address)).toBe(rejected);
});

test('without ranges nothing is rejected', () => {
  expect(toIsRejected([])('127.0.0.1')).toBe(false);
});
