/**
 * Rules that help a newcomer to find related code, and that keep one meaning for each name. A limit leaves room for growth,
 * and its message says what to do when no room is left.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groupBy } from '../server/engine/ground/group.ts';
import { amountsIn, certainAmounts } from './support/house/amounts.ts';
import {
  circles,
  folderSizes,
  namesDefinedIn,
  namesDefinedTwice,
  unusedExports,
} from './support/house/house.ts';
import { root, type Source, sourcesIn } from './support/house/imports.ts';

const product = [...sourcesIn('client'), ...sourcesIn('server')];
const scripts = sourcesIn('scripts');
const everything = [...product, ...scripts, ...sourcesIn('test')];

const inside = (...folders: readonly string[]): ((source: Source) => boolean) => {
  return ({ path }) => folders.some((folder) => path.startsWith(`${folder}/`));
};

describe('names', () => {
  const twice = namesDefinedTwice(product);

  test('are defined once, with one exception in fifty', () => {
    const all = new Set(product.flatMap(namesDefinedIn));
    const advice = `Share one of these definitions, or name one after what distinguishes it.\n${listed(twice)}`;
    expect(twice.size, advice).toBeLessThanOrEqual(all.size / 50);
  });

  test('are never defined in more than three files', () => {
    const often = [...twice].filter(([, files]) => files.length > 3).map(([name]) => name);
    expect(often).toEqual([]);
  });

  test('are defined once in the engine, the features and the language server', () => {
    const own = namesDefinedTwice(product.filter(inside('server/engine', 'server/features', 'server/lsp')));
    expect([...own]).toEqual([]);
  });

  test('of files occur at most four times, except for lists', () => {
    const files = groupBy(
      product.map(({ path }) => path).filter((path) => basename(path) !== 'index.ts'),
      (path) => basename(path),
    );
    const often = [...files].filter(([, paths]) => paths.length > 4).map(([, paths]) => paths.join(' '));
    expect(often, 'Name the new file after what distinguishes it from the others.').toEqual([]);
  });
});

describe('conventions', () => {
  const found = (pattern: RegExp, sources: readonly Source[] = everything): readonly string[] =>
    sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map((match) => `${path}: ${match[0]}`));

  test('constants are in camel case, like all other values', () => {
    expect(found(/^ *(?:export )?const [A-Z][A-Z0-9_]*\b/gm)).toEqual([]);
  });

  test('a text about an amount has another form for one', () => {
    const noticed = [`\`\${count} tables\``, "t('{0} of {1} new rows', some, all)", '<p>{n} streams</p>'];
    const wrong = noticed.map((text) => amountsIn({ path: 'x.ts', text }));
    expect(wrong.map(({ length }) => length)).toEqual([1, 1, 1]);
    const advice = 'Add a text for one, use a helper such as `rowsText`, or write "Tables: {0}".';
    expect(new Set(product.flatMap(amountsIn)), advice).toEqual(new Set(Object.keys(certainAmounts)));
  });

  test('time limits of tests grow with the slowness of the machine', () => {
    const isTest = inside('test', 'scripts/rigs');
    // Files in these folders are run by hand or inside VS Code, or implement the limits.
    const isOther = inside(
      'test/bench',
      'test/soak',
      'test/hostile',
      'test/integration',
      'test/support/house',
    );
    const tests = everything.filter((source) => isTest(source) && !isOther(source));
    // The limit of a test, a hook, a poll, a process or a locator, as a plain number of milliseconds.
    const plain =
      /^\s*\}, \d[\d_]{3,}\);$|\b(?:timeout|testTimeout|hookTimeout): \d[\d_]{3,}|AbortSignal\.timeout\(\d[\d_]{3,}\)|vi\.wait(?:For|Until)\(/gm;
    expect(found(plain, tests)).toEqual([]);
  });

  test('functions are verbs, and not participles', () => {
    const irregular =
      'told|given|kept|found|sent|held|taken|made|seen|lost|left|gone|begun|done|shown|meant|known|written|chosen';
    const nouns =
      'substring|sibling|finding|folding|meeting|heading|warning|string|nothing|need|feed|embed|bring|seed';
    const participle = new RegExp(
      `^ *(?:export )?(?:(?:async )?function\\*? |const (?=\\w+(?:: .+)? = (?:async )?(?:<[^>]*>)?\\([^()]*\\)(?:: .+)? =>))(?!(?:${nouns})\\b)(?:${irregular}|[a-z]+(?:ed|ing))\\b.*`,
      'gm',
    );
    expect(found(participle, [...product, ...scripts])).toEqual([]);
  });

  test('types are nouns, and not participles', () => {
    const irregular = 'Told|Given|Kept|Found|Sent|Held|Taken|Made|Seen|Lost|Left|Gone|Begun|Done|Shown|Meant';
    const participle = new RegExp(
      `^(?:export )?(?:type|interface) (?!Feed\\b)(?:${irregular}|[A-Z][a-z]+ed)\\b.*`,
      'gm',
    );
    expect(found(participle)).toEqual([]);
  });

  test('object literals are not spread', () => {
    // Written so that the pattern does not match this file.
    expect(found(/[.]{3}\{.*/g)).toEqual([]);
  });

  test('the engine appends lists of any length without spreading them into a call, which takes at most 120,000 values', () => {
    expect(found(/\.push\(\s*\.\.\..*/g, product.filter(inside('server/engine')))).toEqual([]);
  });

  test('a boolean parameter is a fact and is named like one, and never chooses what a function does', () => {
    const parameter =
      /\b(?!(?:is|are|may|can|[a-z]+s)[A-Z]|[a-z]+s\b)(\w+)\??: boolean(?: \| undefined)?(?= ?[,)=](?!>))/g;
    // Exceptions: truth values themselves, and the tables of config keys.
    const values = ['truth: boolean', 'value: boolean'];
    const tables = /^server\/engine\/(?:model\/\w+|tests\/reading\/readTest)\.ts: /;
    const wrong = found(parameter, [...product, ...scripts]).filter(
      (each) => !tables.test(each) && !values.some((value) => each.endsWith(value)),
    );
    expect(wrong).toEqual([]);
  });

  test('durations in the service are measured by a clock that never jumps', () => {
    // Exceptions: the lifetime of tokens and sessions, the age of a stored deployment, and a displayed date.
    const jobs = ['replication/jobs/replicator.ts', 'replication/jobs/entry.ts'];
    const dates = ['sync/stream.ts', 'sync/rsocket/connection.ts', 'console/sessions.ts', ...jobs];
    const isDate = ({ path }: Source) => dates.some((date) => path === `server/service/${date}`);
    const sources = product.filter(inside('server/service')).filter((source) => !isDate(source));
    expect(found(/clock\.now\(\) [-+<>].*|[-+<>]=? \(?clock\.now\(\).*/g, sources)).toEqual([]);
  });

  test('no value is declared to be undefined', () => {
    expect(found(/\bas[ ]undefined\b.*/g)).toEqual([]);
  });
});

describe('exports that no file imports', () => {
  const unused = unusedExports([...product, ...scripts], everything);

  test.each([
    ['server/engine', 0],
    ['server/features', 0],
    ['server/lsp', 0],
    ['server/protocol.ts', 0],
    ['server/shared/places.ts', 0],
    ['server/shared/commandLine.ts', 0],
    ['scripts', 0],
    ['server/service', 0],
    ['client', 0],
  ])('in %s: at most %i', (part, ceiling) => {
    const found = unused.filter((name) => name.startsWith(part));
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(ceiling);
  });
});

describe('import cycles', () => {
  test('of values exist only in the SQL parser', () => {
    expect(circles(everything, 'values').map(([file]) => file)).toEqual([
      'server/engine/sql/parser/calls.ts',
    ]);
  });

  test('of types are few', () => {
    const found = circles(everything, 'values and types').map((files) => files.join(' '));
    const advice = `Move the types that two files need into a third one.\n${found.join('\n')}`;
    expect(found.length, advice).toBeLessThanOrEqual(8);
  });

  test('are found', () => {
    const files = [
      { path: 'a.ts', text: "import { type B, b } from './b.ts';", imports: [] },
      { path: 'b.ts', text: "import type { C } from './c.ts';", imports: [] },
      { path: 'c.ts', text: "export { a } from './a.ts';", imports: [] },
    ];
    expect(circles(files, 'values and types')).toEqual([['a.ts', 'b.ts', 'c.ts']]);
    expect(circles(files, 'values')).toEqual([]);
  });
});

describe('folders', () => {
  test('have at most thirty files each', () => {
    const found = [...folderSizes(everything)].filter(([, size]) => size > 30);
    expect(found, 'Give files that belong together a folder of their own.').toEqual([]);
  });
});

describe('files', () => {
  test('begin with a comment about their purpose, unless they are named after an export', () => {
    const tables = inside('server/engine/checks', 'client/cli/commands');
    const silent = product.filter((source) => {
      const { path, text } = source;
      const isDescribed = /^\/\*\*/.test(text) || /^(?:import [^;]*;\s*)*\/\*\*/.test(text);
      const [name = ''] = basename(path).split('.');
      const isNamed = new RegExp(`^export .*\\b${name}\\b`, 'im').test(text);
      return !isDescribed && !isNamed && !tables(source) && !path.endsWith('.d.ts');
    });
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test.each(['server/service', 'server/engine'])('of %s have 70 to 110 lines in the median', (part) => {
    const lengths = product.filter(inside(part)).map(({ text }) => text.split('\n').length - 1);
    const median = lengths.sort((one, other) => one - other)[Math.floor(lengths.length / 2)];
    expect(median, 'Merge small files that are always read together.').toBeGreaterThanOrEqual(70);
    expect(median, 'Give each purpose a file of its own.').toBeLessThanOrEqual(110);
  });
});

test('every TODO that `npm run new` wrote is replaced', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', 'test/fixtures/rules/*'], { cwd: root });
  const texts = [
    ...everything.filter(({ path }) => !path.startsWith('scripts/new/')),
    ...pages.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  ];
  const left = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/TODO[:] \w.*/g)].map(([line]) => `${path}: ${line}`),
  );
  expect(left, 'Write what these lines ask for, and run npm run rules.').toEqual([]);
});

function listed(names: ReadonlyMap<string, readonly string[]>): string {
  return [...names].map(([name, files]) => `${name}: ${files.join(' ')}`).join('\n');
}
