import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/house/imports.ts';
import { mistakes } from './sabotage.ts';

test.each(mistakes)('$name: each of its edits has one place', ({ edits }) => {
  const places = edits.map(({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length - 1);
  expect(places).toEqual(edits.map(() => 1));
});
