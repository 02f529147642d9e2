import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderDifferences } from '../../scripts/pages/differences.ts';
import { randomFrom } from '../differential/random.ts';
import { root } from '../support/house/imports.ts';
import { casesOf } from '../support/house/share.ts';
import { allCases, compareExpressions } from './compare.ts';

/** Repeatable: `npm run fuzz` compares all cases with more values. */
const seed = Number(process.env.HEADWATER_EXPRESSIONS_SEED ?? 1);

test('random functions and operators have the values that the reference gives them', {}, async () => {
  const random = randomFrom(seed);
  const all = allCases();
  const some = Array.from({ length: casesOf(400) }, () => random.pick(all));
  const { unexplained } = await compareExpressions(some, random, { 1: 40, 2: 20, 3: 20 });
  expect(unexplained).toEqual([]);
});

test('the page of the service lists every difference', () => {
  const page = readFileSync(join(root, 'docs/SERVICE.md'), 'utf8').replaceAll('\r\n', '\n');
  expect(page).toBe(renderDifferences(page));
});
