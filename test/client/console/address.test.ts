import { expect, test } from 'vitest';
import { addressOf, parseAddress } from '../../../client/console/frame/address.ts';

test('An address contains a screen and its parameters', () => {
  const { screen, parameters } = parseAddress(addressOf('devices', { user: 'a&b=c#d' }));
  expect([screen, parameters.get('user')]).toEqual(['devices', 'a&b=c#d']);
});

test.each(['', '#', '#/'])('The address %j opens the default screen', (hash) =>
  expect(parseAddress(hash).screen).toBe('service'),
);
