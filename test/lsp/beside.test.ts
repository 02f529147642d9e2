import { expect, test } from 'vitest';
import { beside } from '../../server/lsp/workspace/beside.ts';

test.each([
  ['sync.yaml', 'file:///w/a/sync.yaml'],
  ['../b/my sync#1.yaml', 'file:///w/b/my%20sync%231.yaml'],
  ['/etc/sync.yaml', 'file:///etc/sync.yaml'],
  ['100%.yaml', 'file:///w/a/100%25.yaml'],
])('%s leads from a file to %s', (path, expected) => {
  expect(beside('file:///w/a/service.yaml', path)).toBe(expected);
});

test('Half of an emoji leads nowhere, and neither does a path from nowhere', () => {
  expect(beside('file:///w/a/service.yaml', 'a\ud83d.yaml')).toBeUndefined();
  expect(beside('untitled:Untitled-1', 'sync.yaml')).toBeUndefined();
});
