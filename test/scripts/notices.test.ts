/** Whose work we pass on, and under which licences. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };
import { makeBundle } from '../../scripts/bundles/bundle.ts';
import { bundles } from '../../scripts/bundles/bundles.ts';
import { isPermissive, namedInFile, whileDeveloping } from '../../scripts/notices/licences.ts';
import { type Contents, type Notice, noticesOf, textOf } from '../../scripts/notices.ts';
import { root } from '../../scripts/root.ts';
import { manifest } from '../support/editor/manifest.ts';

interface LockEntry {
  readonly license?: string;
}

const locked = Object.entries(lock.packages as Readonly<Record<string, LockEntry>>).filter(
  ([path]) => path !== '',
);

describe('the notices', () => {
  let contents: readonly Contents[];
  let notices: readonly Notice[];

  beforeAll(async () => {
    const built = async (what: (typeof bundles)[number]): Promise<Contents> => ({
      out: what.out,
      metafile: (await makeBundle(what)).metafile,
    });
    contents = await Promise.all(bundles.map(built));
    notices = noticesOf(contents);
  });

  test('name each package of which a byte is in a bundle', () => {
    const inputs = contents.flatMap(({ metafile }) =>
      Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs)),
    );
    const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
    const packages = used.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
    const named = new Set(notices.map(({ name }) => name));
    expect([...new Set(packages)].filter((name) => !named.has(name))).toEqual([]);
    expect(named).toContain('@electric-sql/pglite');
    expect(named).toContain('@electric-sql/pglite-pgvector');
    expect(named).toContain('PostgreSQL');
    expect(named).toContain('pgvector');
  });

  test('name the packages that DEPENDENCIES lists as bundled, and no others that we chose', () => {
    const page = readFileSync(join(root, 'docs/DEPENDENCIES.md'), 'utf8');
    const [, section = ''] = /^## In the bundles$([\s\S]*?)^## /m.exec(page) ?? [];
    const listed = [...section.matchAll(/^- (.+?): /gm)].flatMap(
      ([, names = '']) => names.match(/(?<=`)[^`,]+(?=`)/g) ?? [],
    );
    const chosen = Object.keys(manifest.devDependencies);
    const bundled = notices.map(({ name }) => name).filter((name) => chosen.includes(name));
    expect(listed.toSorted()).toEqual([...new Set(bundled)].toSorted());
  });

  test('hold the whole text of each licence', () => {
    const whole = /Permission|Redistribution and use|Apache License|Blue Oak|provided 'as-is'/;
    expect(notices.filter(({ texts }) => !texts.some((text) => whole.test(text)))).toEqual([]);
    const text = textOf(notices);
    for (const { name, version } of notices) expect(text).toContain(`\n${name} ${version} (`);
  });

  test('hold nothing of what only tests may use', () => {
    expect(notices.map(({ name }) => name).filter((name) => name.startsWith('@powersync/'))).toEqual([]);
  });
});

test('a package under another licence, or without its text, is not bundled', () => {
  const inside = (path: string): Contents => {
    const output = { inputs: { [`${path}/index.js`]: { bytesInOutput: 1 } } };
    return { out: 'x.js', metafile: { inputs: {}, outputs: { 'x.js': output } } as unknown as Metafile };
  };
  expect(() => noticesOf([inside('node_modules/@powersync/service-sync-rules')])).toThrow(/FSL-1\.1-ALv2/);
  expect(() => noticesOf([inside('node_modules/bson')])).not.toThrow();
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-or-later)', true],
  ['(MIT AND Zlib)', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['none', false],
])('%s is permissive: %s', (expression, expected) => {
  expect(isPermissive(expression)).toBe(expected);
});

test('each package that is installed is under a licence that we know', () => {
  const strange = locked.filter(
    ([path, { license = namedInFile[path] ?? 'none' }]) =>
      !isPermissive(license) && !whileDeveloping[license],
  );
  expect(strange.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test('there is a package for each exception', () => {
  const used = new Set(locked.map(([, { license }]) => license));
  expect(Object.keys(whileDeveloping).filter((licence) => !used.has(licence))).toEqual([]);
  const unnamed = locked.flatMap(([path, { license }]) => (license === undefined ? [path] : []));
  expect(Object.keys(namedInFile)).toEqual(unnamed);
});

test.each(['.npmignore', '.vscodeignore'])('%s lets the notices through', (file) => {
  expect(readFileSync(join(root, file), 'utf8')).toMatch(/^!\/?dist\/THIRD-PARTY-NOTICES\.txt$/m);
});
