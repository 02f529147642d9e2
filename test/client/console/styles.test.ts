/** The styles of all screens are bundled into one file, so a rule for a class applies to every screen. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/root.ts';

test('Only one file styles a class on its own; other files use a more specific selector', () => {
  const files = new Map<string, Set<string>>();
  for (const path of globSync('client/console/**/*.css', { cwd: root })) {
    const text = readFileSync(`${root}/${path}`, 'utf8').replace(/\/\*.*?\*\//gs, '');
    for (const [, name = ''] of text.matchAll(/(?:^|[},])\s*(\.[\w-]+)\s*(?=[,{])/g))
      files.set(name, (files.get(name) ?? new Set()).add(path));
  }
  expect(files.size).toBeGreaterThan(50);
  expect([...files].filter(([, paths]) => paths.size > 1)).toEqual([]);
});
