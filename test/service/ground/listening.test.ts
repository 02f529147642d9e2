import { expect, test } from 'vitest';
import { explainListening } from '../../../server/service/ground/addresses.ts';

const place = { host: '127.0.0.1', port: 5499, key: 'port' };

test.each([
  ['EADDRINUSE', 'linux', /5499.* is taken by another program/],
  ['EACCES', 'linux', /from 1024 on/],
  ['EACCES', 'darwin', /from 1024 on/],
  ['EADDRNOTAVAIL', 'win32', /no address 127\.0\.0\.1/],
  ['EOTHER', 'linux', /EOTHER/],
] as const)('the error %s on %s is explained', (code, platform, sentence) => {
  expect(explainListening(Object.assign(new Error(), { code }), place, platform)).toMatch(sentence);
});

test('a port that Windows has excluded is not explained by user rights or by its number', () => {
  const sentence = explainListening(Object.assign(new Error(), { code: 'EACCES' }), place, 'win32');
  expect(sentence).toContain('excludedportrange');
  expect(sentence).not.toMatch(/user|1024/);
});
