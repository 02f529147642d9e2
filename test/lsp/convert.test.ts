import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { span } from '../../server/engine/text/span.ts';
import { toDiagnostic, toRange } from '../../server/lsp/answers/convert.ts';

const documentOf = (text: string) => TextDocument.create('file:///sync.yaml', 'yaml', 1, text);

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])('columns start again after %s', (_, lineEnd) => {
  const text = ['streams:', '  mine: x'].join(lineEnd);
  const at = text.indexOf('mine');
  expect(toRange(documentOf(text), span(at, at + 4))).toEqual({
    start: { line: 1, character: 2 },
    end: { line: 1, character: 6 },
  });
});

test('a span that ends after CRLF ends on the next line, but a span that ends inside CRLF ends before it', () => {
  const document = documentOf('ab\r\ncd');
  expect(toRange(document, span(0, 4)).end).toEqual({ line: 1, character: 0 });
  expect(toRange(document, span(0, 3)).end).toEqual({ line: 0, character: 2 });
});

test('columns count UTF-16 units, so a character outside the basic plane counts twice', () => {
  expect(toRange(documentOf('🌊: x'), span(2, 3))).toEqual({
    start: { line: 0, character: 2 },
    end: { line: 0, character: 3 },
  });
});

test('a diagnostic has its source, code, severity, tag and second place', () => {
  const document = documentOf('a: 1\na: 2\n');
  expect(
    toDiagnostic(document, {
      code: 'unused-cte',
      span: span(5, 6),
      severity: 'warning',
      message: 'Sentence.',
      tag: 'unnecessary',
      related: { span: span(0, 1), message: 'First.' },
    }),
  ).toEqual({
    range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } },
    severity: 2,
    code: 'unused-cte',
    source: 'headwater',
    message: 'Sentence.',
    tags: [1],
    relatedInformation: [
      {
        location: {
          uri: 'file:///sync.yaml',
          range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
        },
        message: 'First.',
      },
    ],
  });
});
