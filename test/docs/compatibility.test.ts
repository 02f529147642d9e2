/** Each page names only systems, SDKs and versions that tests run with, or that the product checks. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claimsIn, isDenied, isDerived } from '../support/docs/compatibility.ts';
import { root } from '../support/house/imports.ts';

const pages = globSync(
  [
    '*.md',
    'docs/*.md',
    'docs/{rules,errors}/*.md',
    'walkthrough/**/*.md',
    'examples/**/*.md',
    'package.nls*.json',
  ],
  { cwd: root, exclude: ['**/node_modules/**'] },
).sort();

/** Pages whose claims are not about Headwater, each with the reason. */
const explained: Readonly<Record<string, string>> = {
  'docs/BENCHMARKS.md': 'names the machine and the versions of one run, and `npm run bench -- all` writes it',
};

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

function refusedIn(path: string, page: string): readonly string[] {
  return claimsIn(page)
    .filter((claim) => !isDerived(claim) && !(claim.version === undefined && isDenied(claim)))
    .map(({ line, name, version }) => `${path}:${line} ${[name, version].filter(Boolean).join(' ')}`);
}

const advice =
  'Run tests with it and derive it in test/support/docs/compatibility.ts, or say what is known instead.';

test.each(pages.filter((path) => !(path in explained)))('%s has only derived claims', (path) => {
  expect(refusedIn(path, textOf(path)), advice).toEqual([]);
});

test('package.json has only derived claims', () => {
  const { engines: _, devDependencies: __, allowScripts: ___, ...shown } = JSON.parse(textOf('package.json'));
  expect(refusedIn('package.json', JSON.stringify(shown, null, 2)), advice).toEqual([]);
});

describe('The claims of a page', () => {
  const refused = (page: string) => refusedIn('page', page).map((each) => each.replace('page:1 ', ''));

  test('with versions that nothing runs are refused, whatever the software', () => {
    expect(
      refused('Node 18 or newer, VS Code 1.74, PostgreSQL 12, Neovim 0.5, `@powersync/web` 1.0.'),
    ).toEqual(['Node 18', 'VS Code 1.74', 'PostgreSQL 12', 'Neovim 0.5', '@powersync/web 1.0']);
    expect(refused('Works with PostgreSQL 11 to 18, and version 0.1 of `@powersync/node`.')).toEqual([
      'PostgreSQL 11',
      '@powersync/node 0.1',
    ]);
  });

  test('with names that nothing runs are refused, unless the sentence denies that they were tried', () => {
    expect(
      refused('Runs on macOS and arm64, in Safari, with React Native and `@powersync/capacitor`.'),
    ).toEqual(['macOS', 'arm64', 'Safari', 'React Native', '@powersync/capacitor']);
    expect(refused("PowerSync's SDK for Kotlin connects.")).toEqual(['SDK for Kotlin']);
    expect(refused('Nothing has been tried on macOS.')).toEqual([]);
    expect(refused('It is not for Node 18.')).toEqual(['Node 18']);
  });

  test('may shorten a version that is derived', () => {
    const { version } = JSON.parse(textOf('package-lock.json')).packages['node_modules/@powersync/web'];
    const [major = '', minor = ''] = version.split('.');
    expect(refused(`\`@powersync/web\` ${major}.${minor}, \`@powersync/web\` ${major}`)).toEqual([]);
    expect(refused(`\`@powersync/web\` ${major}.${Number(minor) + 1}`)).toHaveLength(1);
  });

  test('are not in headings, comments and addresses', () => {
    expect(refused('# Node 18')).toEqual([]);
    expect(refused('<!-- Node 18 --> [page](a/macOS.md)')).toEqual([]);
  });
});
