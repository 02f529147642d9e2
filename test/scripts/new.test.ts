/** Compares the output of `npm run new` with a real rule, command, route and tool. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tools } from '../../client/agents/tools.ts';
import { commands } from '../../client/cli/index.ts';
import { type Creation, type Name, problemWith, readName, textsOf } from '../../scripts/new/creation.ts';
import { kinds } from '../../scripts/new.ts';
import { root } from '../../scripts/root.ts';
import { generatedTexts } from '../../scripts/rules.ts';
import { checks } from '../../server/engine/checks/index.ts';
import type { ApiParts } from '../../server/service/api/parts.ts';
import { apiRoutes } from '../../server/service/assembly/routes.ts';

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

function creationOf(kind: string, kebab: string): Creation {
  const name = readName(kebab);
  const create = kinds[kind];
  if (name === undefined || create === undefined) throw new Error(`${kind} ${kebab}`);
  return create(name);
}

test.each([
  ['rule', 'many-buckets'],
  ['command', 'limits'],
  ['route', 'verify'],
  ['tool', 'explain-row'],
])('The rows of a new %s have the form of the rows of %s', (kind, real) => {
  const { rows } = creationOf(kind, real);
  // The author writes the texts, and the first tools share their files.
  const comparable = rows.filter(
    ({ text }) => !text.includes('TODO:') && !(kind === 'tool' && text.startsWith('\nimport ')),
  );
  expect(comparable.length).toBeGreaterThan(0);
  const missing = comparable.filter(({ path, text }) => !textOf(path).includes(text));
  expect(missing).toEqual([]);
});

test.each([
  ['rule', 'many-buckets'],
  ['command', 'limits'],
])('A new %s has the same files as %s', (kind, real) => {
  const paths = Object.keys(creationOf(kind, real).files);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** The names of each kind, and a pattern that finds one of them in a file. */
const registries: readonly (readonly [
  kind: string,
  names: readonly string[],
  mention: (name: Name) => RegExp,
])[] = [
  ['rule', checks.map(({ code }) => code), ({ kebab, camel }) => new RegExp(`\\b(?:${kebab}|${camel})\\b`)],
  [
    'command',
    commands.map(({ name }) => name.replaceAll(' ', '-')),
    ({ words, camel }) => new RegExp(`headwater ${words}\\b|/${camel}\\.ts'|name: '${words}'`),
  ],
  [
    'route',
    apiRoutes({} as ApiParts).flatMap(({ path }) => /^\/api\/admin\/v1\/(.+)/.exec(path)?.[1] ?? []),
    ({ kebab }) => new RegExp(`(?:admin/v1|\\{root\\})/${kebab}\\b`),
  ],
  [
    'tool',
    tools.map(({ name }) => name.replaceAll('_', '-')),
    ({ snake, camel }) => new RegExp(`\\b(?:${snake}|${camel}Tool)\\b`),
  ],
];

/**
 * Files without a row for a new name: translations may come later, and the tests of the tools name a tool only for
 * something special.
 */
const isNoTable = /^package\.nls\.\w+\.json$|^test\/client\/agents\/tools\.test\.ts$/;

describe('A file that names nearly all members of a kind is a table, and gets a row for a new one', () => {
  const files = globSync(
    ['*.{md,json}', '{docs,l10n}/**/*.{md,json}', '{client,server,scripts,test}/**/*.{ts,tsx}'],
    { cwd: root },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path !== 'package-lock.json' && path !== 'CHANGELOG.md');
  const texts = files.map((path) => ({ path, text: textOf(path) }));
  const generated = generatedTexts();

  test.each(registries)('%s', (kind, names, mention) => {
    const patterns = names.map((kebab) => {
      const name = readName(kebab);
      if (name === undefined) throw new Error(kebab);
      return mention(name);
    });
    const tables = texts.filter(
      ({ text }) => patterns.filter((pattern) => pattern.test(text)).length >= 0.8 * names.length,
    );
    const touched = new Set([...generated.keys(), ...textsOf(creationOf(kind, 'a-new-one'), textOf).keys()]);
    expect(tables.length).toBeGreaterThan(1);
    const forgotten = tables
      .map(({ path }) => path)
      .filter((path) => !touched.has(path) && !isNoTable.test(path));
    expect(forgotten, 'Derive this list from the table, or let scripts/new/ add a row to it.').toEqual([]);
  });
});

test('A command is added to its group, also if the group takes several lines', () => {
  const creation = creationOf('command', 'sample-thing');
  const oneLine = textsOf(creation, textOf).get('client/cli/index.ts');
  expect(oneLine).toMatch(/'For apps and tools', commands: \[.*\bsampleThing, .*\]/);
  const lines = (path: string) =>
    textOf(path).replace(
      /(?<='For apps and tools', commands: \[).*(?=\])/,
      (list) => `${list.replaceAll(', ', ',\n')},\n`,
    );
  expect(textsOf(creation, lines).get('client/cli/index.ts')).toMatch(/,\nsampleThing, lsp,\n/);
});

test('An error names a missing table', () => {
  const row = { path: 'a.ts', begin: 'const rows = [', end: ']', text: ', 3' };
  const creation = { files: {}, rows: [row], test: '' };
  expect(textsOf(creation, () => 'const rows = [1, 2];').get('a.ts')).toBe('const rows = [1, 2, 3];');
  expect(() => textsOf(creation, () => 'const lines = [1, 2];')).toThrow(/a\.ts.* scripts\/new/);
});

test.each(['', 'Large', 'large_key', 'large-', '-large', '1-large', 'large--key', 'large key', '../large'])(
  '%j is not a name',
  (text) => expect(readName(text)).toBeUndefined(),
);

describe('A name is refused if the created code would not compile', () => {
  const problemOf = (kind: string, kebab: string) => {
    const name = readName(kebab);
    return name && problemWith(name, creationOf(kind, kebab));
  };

  test.each([
    ['command', 'delete', /reserved word/],
    ['command', 'await', /reserved word/],
    ['rule', 'new', /reserved word/],
    ['command', 'command', /imports something named command/],
  ])('%s %s', (kind, kebab, problem) => expect(problemOf(kind, kebab)).toMatch(problem));

  test.each([
    ['command', 'delete-copy'],
    ['rule', 'deleted'],
    ['tool', 'delete'],
    ['route', 'delete'],
  ])('but not %s %s', (kind, kebab) => expect(problemOf(kind, kebab)).toBeUndefined());
});

test('A name is spelled as each place needs it', () => {
  expect(readName('large-bucket-key')).toEqual({
    kebab: 'large-bucket-key',
    camel: 'largeBucketKey',
    pascal: 'LargeBucketKey',
    snake: 'large_bucket_key',
    words: 'large bucket key',
    title: 'Large Bucket Key',
  });
});
