import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scalingPage, withModel } from './page.ts';

it('docs/SCALING.md has the costs of the model: npm run bench -- model writes them', () => {
  const page = readFileSync(scalingPage, 'utf8');
  expect(page).toBe(withModel(page));
});
