import { expect, test } from 'vitest';
import { allowedHosts, isAllowed } from '../../../../client/vscode/targets/consent.ts';

const usual = ['localhost', '127.0.0.1', '::1'];

test.each([
  ['http://localhost:8080', usual, true],
  ['http://127.0.0.1:9000/sync', usual, true],
  ['http://[::1]:8080', usual, true],
  ['https://sync.example.com', usual, false],
  ['http://localhost.evil.example', usual, false],
  ['https://sync.example.com', ['sync.example.com'], true],
  ['https://sync.example.com:8443', ['sync.example.com:9443'], false],
  ['https://a.test.example', ['*.test.example'], true],
  ['https://atest.example', ['*.test.example'], false],
  ['https://sync.example.com', ['', ' ', '*'], false],
  ['nowhere', usual, false],
  ['', [''], false],
])('%s is allowed by %j: %s', (url, allowed, expected) => {
  expect(isAllowed(url, allowed)).toBe(expected);
});

test.each([
  [['other.example'], []],
  [['localhost', 'other.example', '*'], ['localhost']],
  [[], []],
  [undefined, usual],
])('the settings of a folder with %j can only remove hosts of the user', (folder, expected) => {
  expect(allowedHosts({ user: usual, ...(folder && { folder }) })).toEqual(expected);
});
