/** What the extension says can be said in other languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { t, translateWith } from '../client/l10n.ts';
import raw from '../package.json' with { type: 'json' };
import sentences from '../package.nls.json' with { type: 'json' };
import { bundlePath, renderBundle, sentencesIn } from '../scripts/l10n.ts';
import { root, sourcesIn } from './support/house/imports.ts';

/** The command line speaks English, and so do the log and the process that keeps the local service alive. */
const sources = sourcesIn('client').filter(({ path }) => !/^client\/(cli\/|local\/keeper\.ts$)/.test(path));

describe('Sentences in the code', () => {
  test('are those of the committed bundle: run npm run l10n', () => {
    expect(renderBundle()).toBe(readFileSync(join(root, bundlePath), 'utf8'));
  });

  test('are all looked up', () => {
    expect(
      sources.flatMap(({ path, text }) => literalSentences(text).map((each) => `${path}: ${each}`)),
    ).toEqual([]);
  });

  test('are literals where they are looked up, so that they can be collected', () => {
    const other = sources.flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(/(?<![\w$.])(?:l10n\.)?t\(\s*[^'"\s)][^\n]*/g)].map(
        ([found]) => `${path}: ${found}`,
      ),
    );
    expect(other.filter((found) => !/l10n\.ts: t\(sentence/.test(found))).toEqual([]);
  });

  test('are found whatever their quotes', () => {
    const code = `t('one'); l10n.t(\n  "it's {0}", x); t('it\\'s "so"'); that('no'); at('no')`;
    expect(sentencesIn(code)).toEqual(['one', "it's {0}", `it's "so"`]);
  });
});

describe('What knows no VS Code', () => {
  test('speaks English by itself', () => {
    expect(t('{0} rows of {1}, {0}', 3, 'x')).toBe('3 rows of x, 3');
  });

  test('speaks another language when it is told how', () => {
    translateWith((sentence, ...values) => `¡${sentence}! ${values.join()}`);
    expect(t('{0} rows', 3)).toBe('¡{0} rows! 3');
    translateWith((sentence) => sentence);
  });
});

describe('Sentences of package.json', () => {
  const named = [...JSON.stringify(raw).matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);

  test('are in package.nls.json, and no other ones', () => {
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(sentences).toSorted());
  });

  test('are nowhere else', () => {
    const visible = /"(?:title|description|markdownDescription|contents)":"(?!%)([^"]+)"/g;
    const { contributes, capabilities } = raw;
    const found = [...JSON.stringify({ contributes, capabilities }).matchAll(visible)].map(
      ([, text]) => text,
    );
    // The name of the product is the same in all languages.
    expect(found.filter((text) => text !== 'Headwater')).toEqual([]);
  });
});

/** Texts of three words or more that begin like a sentence or end like one, outside of comments, look-ups and the log. */
function literalSentences(source: string): readonly string[] {
  const code = withoutComments(source)
    .replaceAll(/(?<![\w$.])(?:l10n\.)?t\(\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g, 't(')
    .replaceAll(/\blog\.(?:info|warn|error|debug)\([^\n]*/g, '');
  const literals = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/g)];
  return literals
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter(
      (text) =>
        /^[A-Z][a-z]+ (?:[a-z]+|\$\{[^}]+\}) [a-z$]/.test(text) || /[a-z]+ [a-z]+ [a-z]+[.:?]$/.test(text),
    );
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}
