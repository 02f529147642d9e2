import { expect, test } from 'vitest';
import { addressOf, parseAddress } from '../../../client/console/frame/address.ts';

test('An address names a screen and what it shows', () => {
  const { screen, parameters } = parseAddress(addressOf('devices', { user: 'a&b=c#d' }));
  expect([screen, parameters.get('user')]).toEqual(['devices', 'a&b=c#d']);
});

test.each(['', '#', '#/'])('The address %j leads to the usual screen', (hash) =>
  expect(parseAddress(hash).screen).toBe('service'),
);
