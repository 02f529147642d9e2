/** The styles of all screens end up in one file, so the rules of a class hold on each screen. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/root.ts';

test('A class by itself is drawn by one file alone; other files say where they mean it', () => {
  const files = new Map<string, Set<string>>();
  for (const path of globSync('client/console/**/*.css', { cwd: root })) {
    const text = readFileSync(`${root}/${path}`, 'utf8').replace(/\/\*.*?\*\//gs, '');
    for (const [, name = ''] of text.matchAll(/(?:^|[},])\s*(\.[\w-]+)\s*(?=[,{])/g))
      files.set(name, (files.get(name) ?? new Set()).add(path));
  }
  expect(files.size).toBeGreaterThan(50);
  expect([...files].filter(([, paths]) => paths.size > 1)).toEqual([]);
});
