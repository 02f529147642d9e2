import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { errorTexts } from '../../scripts/serviceErrors/index.ts';

test('an error is documented as never returned exactly if no file of the service names it', () => {
  const files = globSync('server/service/**/*.ts', {
    cwd: root,
    exclude: ['server/service/ground/errors.ts'],
  });
  const sources = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const given = Object.entries(errorTexts).filter(([, { told }]) => told !== 'never');
  const named = Object.keys(errorTexts).filter((code) => sources.includes(code));
  expect(named.sort()).toEqual(given.map(([code]) => code).sort());
});
