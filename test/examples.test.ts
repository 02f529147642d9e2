import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analyze } from '../server/engine/index.ts';
import { root } from './support/imports.ts';

function codesIn(path: string, edit = (text: string) => text): string[] {
  const text = edit(readFileSync(join(root, 'examples', path), 'utf8'));
  return analyze(text, { fileName: path }).findings.map(({ code }) => code);
}

test.each(['todo/sync.yaml', 'todo/service.yaml', 'compose/sync-config.yaml'])(
  '%s has no problem',
  (path) => {
    expect(codesIn(path)).toEqual([]);
  },
);

test('the playground starts with a mistake', () => {
  expect(codesIn('todo/playground/sync.yaml')).toContain('unknown-key');
});

test('the mistake in the playground goes away as its comment says', () => {
  expect(codesIn('todo/playground/sync.yaml', (text) => text.replace(/^stream:/m, 'streams:'))).toEqual([]);
});
