import { expect, test } from 'vitest';
import { addressRules, isRange } from '../../server/service/addresses.ts';

const local = addressRules(['local']);

test.each([
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
  ...['224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fe80::1%eth0', 'fd00::1', 'ff02::1', '[::1]'],
  ...['::ffff:10.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::'],
])('%s is local', (address) => {
  expect(local.rejects(address)).toBe(true);
});

test.each(['8.8.8.8', '172.32.0.1', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8', 'localhost', ''])(
  '%j is not',
  (address) => {
    expect(local.rejects(address)).toBe(false);
  },
);

test('a range may be one address, or of IPv6', () => {
  const rules = addressRules(['8.8.8.8', '2606:4700::/32']);
  expect(['8.8.8.8', '8.8.8.9', '2606:4700:1::', '2606:4701::'].map(rules.rejects)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test.each(['', 'x', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '::/129', '10.0.0/8'])(
  '%j is no range',
  (range) => {
    expect(isRange(range)).toBe(false);
  },
);
