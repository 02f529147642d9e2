import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/house/imports.ts';
import { withoutKeepalives } from './keepalives.ts';
import { type Edit, mistakes } from './sabotage.ts';

test.each(mistakes)('$name: each of its edits has one place', ({ edits }) => {
  expect(placesOf(edits)).toEqual(edits.map(() => 1));
});

test('each edit that takes keepalives away has one place', () => {
  expect(placesOf(withoutKeepalives)).toEqual(withoutKeepalives.map(() => 1));
});

function placesOf(edits: readonly Edit[]): readonly number[] {
  return edits.map(({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length - 1);
}
