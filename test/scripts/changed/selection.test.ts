import { describe, expect, test } from 'vitest';
import { selectTests } from '../../../scripts/changed/selection.ts';
import type { Source } from '../../support/house/imports.ts';

const entries = new Map([
  ['cli.js', 'client/cli/main.ts'],
  ['service.js', 'server/service/main.ts'],
]);

/** Files with the paths that they import, and their text. */
type Drawing = Readonly<Record<string, { readonly imports?: readonly string[]; readonly text?: string }>>;

function select(changed: readonly string[], drawing: Drawing) {
  const sources: readonly Source[] = Object.entries(drawing).map(([path, { imports = [], text = '' }]) => ({
    path,
    imports,
    text,
  }));
  return selectTests(changed, { sources, entries });
}

const nothing = { unit: [], live: [], needsBuild: false, left: [], unread: [] };

describe('a unit test is selected', () => {
  const file = 'test/engine/a.test.ts';

  test.each<[string, string, Drawing]>([
    ['that has changed', file, {}],
    [
      'that imports a changed file through others',
      'server/b.ts',
      {
        'test/support/help.ts': { imports: ['server/a.ts'] },
        'server/a.ts': { imports: ['server/b.ts'] },
        [file]: { imports: ['test/support/help.ts'] },
      },
    ],
    ['that imports a deleted file', 'server/gone.ts', { [file]: { imports: ['server/gone.ts'] } }],
    ['that imports JSON', 'package.json', { [file]: { imports: ['package.json'] } }],
    [
      'that names a file',
      'schemas/service.json',
      { [file]: { text: "read(join(root, 'schemas/service.json'))" } },
    ],
    ['that names a file in parts', 'docs/a/B.md', { [file]: { text: "join(root, 'docs', 'a', 'B.md')" } }],
    ['that names a folder', 'examples/todo/x.sql', { [file]: { text: "join(root, 'examples', name)" } }],
    ['that names a pattern', 'docs/rules/x.md', { [file]: { text: "globSync('docs/{errors,rules}/*.md')" } }],
    [
      'that names a file with an unknown part',
      'docs/rules/x.md',
      { [file]: { text: `read(\`docs/rules/\${code}.md\`)` } },
    ],
    [
      'that names a folder beside its own',
      'test/fixtures/rules/x.yaml',
      { [file]: { text: "new URL('../fixtures/rules/', import.meta.url)" } },
    ],
    ['that reads all sources of a folder', 'client/new.ts', { [file]: { text: "sourcesIn('client')" } }],
    [
      'whose support names a file',
      'docs/A.md',
      {
        [file]: { imports: ['test/support/page.ts'] },
        'test/support/page.ts': { text: "'docs/A.md'" },
      },
    ],
    [
      'that starts a script which imports a changed file',
      'server/a.ts',
      {
        [file]: { text: "join(import.meta.dirname, 'process.ts')" },
        'test/engine/process.ts': { imports: ['server/a.ts'] },
      },
    ],
    ['that owns a snapshot', 'test/engine/__snapshots__/a.test.ts.snap', {}],
    ['that depends on a file without naming it', 'package-lock.json', {}],
  ])('%s', (_, changed, drawing) => {
    expect(select([changed], { [file]: {}, ...drawing })).toMatchObject({ unit: [file], unread: [] });
  });

  test.each<[string, string, Drawing]>([
    ['a file that it does not import', 'server/b.ts', { [file]: { imports: ['server/a.ts'] } }],
    ['a file with a longer name', 'docs/A.md.bak', { [file]: { text: "'docs/A.md'" } }],
    [
      'a file that only the product names',
      'docs/A.md',
      { [file]: { imports: ['server/a.ts'] }, 'server/a.ts': { text: "'docs/A.md'" } },
    ],
    ['a file in a folder that has the name of a word', 'docs/A.md', { [file]: { text: "'docs'" } }],
  ])('not for %s', (_, changed, drawing) => {
    expect(select([changed], drawing)).toEqual({ ...nothing, unread: [changed] });
  });
});

describe('a live test', () => {
  const stream = 'test/service/sync/stream.live.test.ts';
  const pages = 'test/docs/pages.live.test.ts';
  const drawing: Drawing = {
    'server/service/main.ts': { imports: ['server/service/sync/stream.ts'] },
    'server/service/sync/stream.ts': {},
    [stream]: { text: "join(root, 'dist/service.js')" },
    'test/cli/init.live.test.ts': { text: "join(root, 'dist/cli.js')" },
    [pages]: { text: "join(root, 'dist', name)" },
  };
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => `test/service/${name}.live.test.ts`);

  test('named after a changed file runs, on new bundles; others that run the same bundle are left', () => {
    expect(select(['server/service/sync/stream.ts'], drawing)).toEqual({
      ...nothing,
      live: [stream],
      needsBuild: true,
      left: [{ reason: 'run the changed code together with much else', tests: [pages] }],
    });
  });

  test('named after the folder of a changed file runs', () => {
    const test = 'test/service/sync.live.test.ts';
    const both = { ...drawing, [test]: { imports: ['server/service/sync/stream.ts'] } };
    expect(select(['server/service/sync/stream.ts'], both).live).toEqual([stream, test]);
  });

  test('that imports a changed file itself runs without a build', () => {
    const test = 'test/service/api/stream.live.test.ts';
    const one = { [test]: { imports: ['server/service/main.ts'] }, 'server/service/main.ts': {} };
    expect(select(['server/service/main.ts'], one)).toEqual({ ...nothing, live: [test] });
  });

  test('that has changed runs, however many have', () => {
    const all = Object.fromEntries(five.map((test) => [test, {}]));
    expect(select(five, all)).toEqual({ ...nothing, live: five });
  });

  test('is left if three others import the changed file', () => {
    const all = Object.fromEntries(five.map((test) => [test, { imports: ['server/x.ts'] }]));
    const { live, left } = select(['server/x.ts'], all);
    expect(live).toEqual(five.slice(0, 3));
    expect(left.map(({ tests }) => tests)).toEqual([five.slice(3)]);
  });
});

test('rigs are named, and left', () => {
  const rig = 'test/e2e/localService.test.ts';
  expect(select(['client/vscode/a.ts'], { [rig]: {} })).toEqual({
    ...nothing,
    left: [{ reason: 'run the package in an editor or on Windows', tests: [rig] }],
  });
});
