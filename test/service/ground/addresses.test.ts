import { describe, expect, test } from 'vitest';
import { addressRules, isRange } from '../../../server/service/ground/addresses.ts';

describe('with the range `local`', () => {
  const { rejects, rejectsHost } = addressRules(['local']);

  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
    ...['100.64.0.1', '0.0.0.0', '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1'],
    ...['203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::'],
    ...['3fff::1', '5f00::1', 'fc00::1', 'fd00::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
    ...['[::1]', '[fec0::1]', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '[::ffff:a00:1]'],
  ])('%s is rejected', (address) => {
    expect(rejects(address)).toBe(true);
    expect(rejectsHost(address)).toBe(true);
  });

  test.each(['8.8.8.8', '172.32.0.1', '1.1.1.1', '2606:4700::1111', '[2606:4700::1111]', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(rejects(address)).toBe(false);
      expect(rejectsHost(address)).toBe(false);
    },
  );

  test.each(['localhost', 'db.example.com', '', '127.1', '0x7f.1'])(
    '%j is rejected as an address, but not as a host name, because the name is resolved later',
    (name) => {
      expect(rejects(name)).toBe(true);
      expect(rejectsHost(name)).toBe(false);
    },
  );
});

test.each([
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ['::ffff:10.0.0.0/104', '10.0.0.1', true],
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['2606:4700::/32', '2606:4700:1::', true],
  ['2606:4700::/32', '2606:4701::', false],
])('the range %s rejects %s: %s', (range, address, rejected) => {
  expect(addressRules([range]).rejects(address)).toBe(rejected);
});

test.each(['', 'x', 'everything', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '::/129', '10.0.0/8'])(
  '%j is not a range, and rejects every address',
  (range) => {
    expect(isRange(range)).toBe(false);
    expect(addressRules(['10.0.0.0/8', range]).rejects('8.8.8.8')).toBe(true);
    expect(addressRules([range]).rejectsHost('2606:4700::1111')).toBe(true);
  },
);

test('without ranges, no address is rejected', () => {
  expect(addressRules([]).rejects('127.0.0.1')).toBe(false);
});
