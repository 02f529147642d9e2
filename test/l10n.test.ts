/** Checks that all texts of the extension can be translated. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { t, translateMessage, translateWith } from '../client/l10n.ts';
import raw from '../package.json' with { type: 'json' };
import sentences from '../package.nls.json' with { type: 'json' };
import { sentencesIn } from '../scripts/pages/sentences.ts';
import { root, sourcesIn } from './support/house/imports.ts';

/**
 * The sources whose texts are translated. The command line, the log, the process that keeps the local service alive, and
 * the console, which browsers also show, are always in English.
 */
const sources = sourcesIn('client').filter(
  ({ path }) => !/^client\/(cli\/|agents\/|console\/|local\/keeper\.ts$)/.test(path),
);

describe('Sentences in the code', () => {
  test('are all passed to t()', () => {
    expect(
      sources.flatMap(({ path, text }) => literalSentences(text).map((each) => `${path}: ${each}`)),
    ).toEqual([]);
  });

  test('are literals in the calls of t(), so that they can be collected', () => {
    const other = sources.flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(/(?<![\w$.])(?:l10n\.)?t\(\s*[^'"\s)][^\n]*/g)].map(
        ([found]) => `${path}: ${found}`,
      ),
    );
    expect(other.filter((found) => !/l10n\.ts: t\(sentence/.test(found))).toEqual([]);
  });

  test('are found with any kind of quotes', () => {
    const code = `t('one'); l10n.t(\n  "it's {0}", x); t('it\\'s "so"'); that('no'); at('no')`;
    expect(sentencesIn(code)).toEqual(['one', "it's {0}", `it's "so"`]);
  });
});

describe('Code without VS Code', () => {
  test('uses English by default', () => {
    expect(t('{0} rows of {1}, {0}', 3, 'x')).toBe('3 rows of x, 3');
  });

  test('uses another language after translateWith()', () => {
    translateWith((sentence, ...values) => `¡${sentence}! ${values.join()}`);
    expect(t('{0} rows', 3)).toBe('¡{0} rows! 3');
    translateWith((sentence) => sentence);
  });
});

describe('Messages of the language server', () => {
  const german: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(root, 'l10n/bundle.l10n.de.json'), 'utf8'),
  );
  const fill = (text: string, values: readonly (string | number)[]) =>
    text.replace(/\{(\d+)\}/g, (place, index) => String(values[Number(index)] ?? place));

  afterEach(() => translateWith((sentence, ...values) => fill(sentence, values)));

  test.each([
    'There is no table `a.b. c` in the source. Did you mean `tasks`?',
    'A priority must be 0, 1, 2 or 3. 0 is the most urgent.',
    'Compare `{0}` with {1} or auth.user_id(). Or not?',
    '`unclosed and 7',
    'Two\nlines. And `a`!  Done',
    '',
  ])('stay the same in English: %s', (message) => {
    translateWith((sentence, ...values) => fill(sentence, values));
    expect(translateMessage(message)).toBe(message);
  });

  test('are translated with their names and numbers, and stay in English if there is no translation', () => {
    translateWith((sentence, ...values) => fill(german[sentence] ?? sentence, values));
    expect(translateMessage('There is no table `a.b. c` in the source. Did you mean `tasks`?')).toBe(
      'In der Quelle gibt es keine Tabelle `a.b. c`. Meinten Sie `tasks`?',
    );
    expect(translateMessage('Nobody has translated `this`. Use its name.')).toBe(
      'Nobody has translated `this`. Verwenden Sie den Namen.',
    );
  });
});

describe.each(['de', 'es'])('In %s', (language) => {
  const read = (path: string): Readonly<Record<string, string>> =>
    JSON.parse(readFileSync(join(root, path), 'utf8'));
  const bundle = read('l10n/bundle.l10n.json');
  const translated = read(`l10n/bundle.l10n.${language}.json`);
  const manifest = read(`package.nls.${language}.json`);
  const placesIn = (text: string) => [...new Set(text.match(/\{\d+\}/g) ?? [])].toSorted();
  const commandsIn = (text: string) => text.match(/command:[\w.]+|\$\([\w~-]+\)|`[^`]*`/g) ?? [];

  test('nearly all texts are translated', () => {
    expect(Object.keys(translated).length).toBeGreaterThan(0.85 * Object.keys(bundle).length);
  });

  test('translations have the same placeholders as the English texts', () => {
    const wrong = Object.entries(translated).filter(
      ([text, other]) => placesIn(text).join() !== placesIn(other).join(),
    );
    expect(wrong).toEqual([]);
  });

  test('the sentences of package.json have the same links, icons and names', () => {
    expect(Object.keys(manifest).filter((key) => !Object.hasOwn(sentences, key))).toEqual([]);
    // Texts without a translation are shown in English.
    expect(Object.keys(manifest).length).toBeGreaterThan(0.85 * Object.keys(sentences).length);
    const english: Readonly<Record<string, string>> = sentences;
    const wrong = Object.keys(manifest).filter(
      (key) =>
        !key.endsWith('.media') &&
        commandsIn(english[key] ?? '')
          .toSorted()
          .join() !==
          commandsIn(manifest[key] ?? '')
            .toSorted()
            .join(),
    );
    expect(wrong).toEqual([]);
  });

  test('the pages of the walkthrough exist', () => {
    const pages = Object.keys(manifest).filter((key) => key.endsWith('.media'));
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter((key) => !existsSync(join(root, manifest[key] ?? '')))).toEqual([]);
  });
});

describe('Sentences of package.json', () => {
  const named = [...JSON.stringify(raw).matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);

  test('are exactly those of package.nls.json', () => {
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(sentences).toSorted());
  });

  test('are not written in package.json itself', () => {
    const visible = /"(?:title|displayName|description|markdownDescription|contents)":"(?!%)([^"]+)"/g;
    const { contributes, capabilities } = raw;
    // Descriptions for models are in one language.
    const languageModelTools = contributes.languageModelTools.map(({ displayName }) => ({ displayName }));
    const shown = { ...contributes, languageModelTools };
    const found = [...JSON.stringify({ contributes: shown, capabilities }).matchAll(visible)].map(
      ([, text]) => text,
    );
    // The name of the product is the same in all languages.
    expect(found.filter((text) => text !== 'Headwater')).toEqual([]);
  });
});

/**
 * Returns texts of three words or more that begin or end like a sentence, outside of comments, calls of t() and the log.
 */
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
