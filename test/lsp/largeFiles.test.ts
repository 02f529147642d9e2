/** The facts about the queries of a very large file are computed in the background, until the file changes. */
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { analyze } from '../../server/engine/index.ts';
import { textFactsOf } from '../../server/features/reading/facts.ts';
import { lookAhead } from '../../server/lsp/workspace/largeFiles.ts';

function documentOf(streams: number): TextDocument {
  const lines = Array.from(
    { length: streams },
    (_, n) => `  s${n}:\n    query: SELECT a FROM t${n % 5}\n${'\n'.repeat(100)}`,
  );
  return TextDocument.create(
    'file:///sync.yaml',
    'yaml',
    1,
    `config:\n  edition: 3\nstreams:\n${lines.join('')}`,
  );
}

test.each([
  ['of a large file are', 300, true],
  ['of a usual file are not', 10, false],
])('The facts %s computed in the background', async (_, streams, isFound) => {
  const document = documentOf(streams);
  const analysis = analyze(document.getText());
  let time = 0;
  const rest = async () => {
    time += 1_000;
  };
  const clock = { now: () => time, rest, wait: async () => {} };
  await lookAhead({ clock }, () => analysis)(document);
  const texts = (analysis.config?.definitions ?? []).flatMap(({ texts: own }) => own);
  expect(texts.map((text) => textFactsOf.has(text))).toEqual(texts.map(() => isFound));
});

test('The computation stops when the file changes', async () => {
  const document = documentOf(300);
  const analysis = analyze(document.getText());
  const rest = async () => {
    TextDocument.update(document, [{ text: '' }], 2);
  };
  const clock = { now: () => 0, rest, wait: async () => {} };
  await lookAhead({ clock }, () => analysis)(document);
  expect(analysis.config?.definitions.some(({ texts: [text] }) => text && textFactsOf.has(text))).toBe(false);
});
