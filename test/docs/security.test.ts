/** Every sentence of the page on security names a test that fails when the sentence is no longer true. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { breaches } from '../../scripts/security/breaches.ts';
import { sentencesOf, titlesIn } from '../support/docs/promises.ts';
import { misfits } from '../support/house/edits.ts';
import { root } from '../support/house/imports.ts';

/** The only reasons for a sentence without a test: it promises nothing. */
const exemptions: Readonly<Record<string, string>> = {
  'about this page': 'says how to read the page',
  definition: 'says who somebody is, or what somebody may do',
  advice: 'says what a reader can do',
};
const mostExemptions = 12;

const sentences = sentencesOf(readFileSync(join(root, 'docs/SECURITY.md'), 'utf8'));

describe('the page on security', () => {
  test('names a test for each sentence, or says why the sentence promises nothing', () => {
    expect(sentences.length).toBeGreaterThan(80);
    const bare = sentences.filter(({ tests, exemption }) => tests.length === 0 && exemption === undefined);
    expect(bare.map(({ line, text }) => `${line}: ${text}`)).toEqual([]);
  });

  test('has few sentences without a test, and each for a reason of the list', () => {
    const reasons = sentences.flatMap(({ exemption }) => exemption ?? []);
    expect(reasons.filter((reason) => !Object.hasOwn(exemptions, reason))).toEqual([]);
    expect(reasons.length).toBeLessThanOrEqual(mostExemptions);
  });

  test('names only tests that exist, by their title', () => {
    const titlesOf = new Map<string, ReadonlySet<string>>();
    const exists = (path: string, title: string): boolean => {
      const file = join(root, path);
      if (!existsSync(file)) return false;
      if (!titlesOf.has(path)) titlesOf.set(path, titlesIn(readFileSync(file, 'utf8')));
      return titlesOf.get(path)?.has(title) === true;
    };
    const named = sentences.flatMap(({ line, tests }) => tests.map((each) => ({ line, ...each })));
    expect(named.filter(({ path, title }) => !exists(path, title))).toEqual([]);
  });

  test('can be broken sentence by sentence: see npm run security', () => {
    const promises = sentences.filter(({ exemption }) => exemption === undefined).map(({ text }) => text);
    expect(Object.keys(breaches).toSorted()).toEqual(promises.toSorted());
    expect(misfits(Object.values(breaches).flat())).toEqual([]);
  });

  test('has no comment that is not understood', () => {
    expect(sentences.flatMap(({ unread }) => unread)).toEqual([]);
  });
});

describe('the sentences of a page', () => {
  const drawn = (page: string): readonly string[] =>
    sentencesOf(page).map(
      ({ line, text, tests, exemption, unread }) =>
        `${line} ${text} → ${[...tests.map(({ path, title }) => `${path} ${title}`), ...(exemption ? [exemption] : []), ...unread.map((each) => `? ${each}`)].join(', ')}`,
    );

  test('are those of paragraphs and lists, each with the comment behind it', () => {
    const page = `# Heading. Not a sentence.

One \`a.b. C\` goes
over two lines. <!-- no test: advice --> Two. Three.
<!-- test: test/a.test.ts "x, and y"; test/b.test.ts "z" -->

- An item. <!-- test: test/a.test.ts "x" -->
  <!-- nonsense -->
- Another item`;
    expect(drawn(page)).toEqual([
      '3 One `a.b. C` goes over two lines. → advice',
      '4 Two. → ',
      '4 Three. → test/a.test.ts x, and y, test/b.test.ts z',
      '7 An item. → test/a.test.ts x, ? nonsense',
      '9 Another item → ',
    ]);
  });

  test('are proved by titles of tests, and by no other string', () => {
    const source = `test('one', () => { call('no title', 1); });
describe.skipIf(x)('two', () => {});
test.each([['row']])('three %s', () => {});
test.each<[string]>([
])(
  \`four\`,
);
test("it's five", () => {});
test('it\\'s six', () => {});`;
    expect([...titlesIn(source)]).toEqual(['one', 'two', 'three %s', 'four', "it's five", "it's six"]);
  });
});
