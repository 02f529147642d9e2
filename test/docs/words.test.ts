/** Words that readers had to read twice, with better words, in everything that a user reads. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/house/imports.ts';

/** Each pattern with a better way to say it. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bmust be (?:a )?text\b/i, 'must be a string'],
  [/\banew\b/i, 'again'],
  [/\busually\b/i, 'default:'],
  [/\b(?:of|in) the field\b/i, 'PowerSync'],
  [/\b(?:is|are|was|were) told\b/i, 'learns, is asked, is reported'],
  [/\btells? of\b/i, 'reports'],
  [/\bstands? (?:for|against|behind|beside|between|there|here)\b/i, 'is, means, excludes'],
  [/\bin silence\b/i, 'silently'],
  [/\bit is said\b/i, 'name who says it'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\bmeant as it stands\b/i, 'intentional'],
  [/\bfor ever\b/i, 'forever'],
  [/\band the like\b/i, 'and similar'],
  [/\bgo(?:es)? on \w+ing\b/i, 'continues to'],
  [/\bbelongs? into\b/i, 'belongs in'],
  [/\bis under way\b/i, 'is in progress'],
  [/\bin the clipboard\b/i, 'was copied to the clipboard'],
  [/\bbrings? (?:a|an|the) [\w ]{1,30} along\b/i, 'includes'],
  [/\bunless told\b/i, 'default:'],
  [/\bbesides? which\b/i, 'and'],
];

/** Pages that people read. The changelog keeps the words of its time. */
const pages = globSync(['*.md', '{docs,examples,walkthrough}/**/*.md'], { cwd: root })
  .filter((path) => path !== 'CHANGELOG.md' && !path.includes('node_modules'))
  .map((path) => ({ path, text: withoutComments(readFileSync(join(root, path), 'utf8')) }));

/** Removes comments, which contain test titles and which readers of a page do not see. The lines keep their numbers. */
function withoutComments(page: string): string {
  return page.replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ''));
}

/** Notes for people who change the code: they may name things as the code does. */
const notes = ['docs/STYLE.md', 'docs/GOTCHAS.md', 'docs/DECISIONS.md', 'CONTRIBUTING.md'];

const bundles = ['package.nls.json', 'l10n/bundle.l10n.json'].map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

test('pages, messages and settings use the common word', () => {
  const texts = [...pages.filter(({ path }) => !notes.includes(path)), ...bundles];
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.flatMap(({ path, text }) => findWords(text).map((found) => `${path}:${found}`))).toEqual([]);
});

test('sentences in the sources use the common word', () => {
  const sources = globSync('{client,server,scripts}/**/*.ts', { cwd: root });
  const found = sources.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8').replaceAll(/^\s*(?:\/\*|\*|\/\/).*$/gm, '');
    return sentencesIn(text).flatMap((sentence) => findWords(sentence).map((word) => `${path}:${word}`));
  });
  expect(found).toEqual([]);
});

test('comments use the common word', () => {
  const sources = globSync('{client,server,scripts,test}/**/*.{ts,tsx}', { cwd: root });
  const found = sources.flatMap((path) => {
    if (path.endsWith('words.test.ts')) return [];
    const text = readFileSync(join(root, path), 'utf8').replaceAll(/^(?!\s*(?:\/\*|\*|\/\/)).*$/gm, '');
    return findWords(text).map((word) => `${path}:${word}`);
  });
  expect(found).toEqual([]);
});

test('a sentence is a literal that contains a space and ends with a full stop', () => {
  expect(sentencesIn("say('All is copied anew.', 'a b', `Not \\`it\\`.`)")).toEqual([
    'All is copied anew.',
    'Not \\`it\\`.',
  ]);
});

test('a word of the list is found everywhere except in code', () => {
  expect(findWords('All is copied anew.')).toEqual(['1: anew → again']);
  expect(findWords('Run `make anew`.\n\nHere it\nstands for one.')).toEqual([
    '4: stands for → is, means, excludes',
  ]);
});

/**
 * Returns the words of the list with their line numbers. Names in backquotes, quoted test titles and links do not count.
 */
function findWords(text: string): readonly string[] {
  const prose = text.replaceAll(/`[^`\n]*`|\]\([^)\n]*\)|: "[^"\n]*"/g, (code) => ' '.repeat(code.length));
  return words.flatMap(([pattern, better]) =>
    [...prose.matchAll(new RegExp(pattern.source.replaceAll(' ', '\\s+'), 'gi'))].map(
      ({ 0: word, index }) => {
        const line = prose.slice(0, index).split('\n').length;
        return `${line}: ${word.replaceAll(/\s+/g, ' ')} → ${better}`;
      },
    ),
  );
}

/** Returns the literals that end with a full stop, because names and keys do not. */
function sentencesIn(source: string): readonly string[] {
  const literals = source.matchAll(/(?<quote>['`"])(?<text>(?:[^\\\n]|\\.)*?)\k<quote>/g);
  return [...literals]
    .map(({ groups }) => groups?.text ?? '')
    .filter((text) => text.includes(' ') && text.endsWith('.'));
}
