import { describe, expect, test } from 'vitest';
import { readFrames } from '../../../server/lsp/host/frames.ts';

const good = framed('{"id":1}');

describe('A message', () => {
  test('is complete, however many pieces it is sent in', () => {
    const text = `${good}${framed('{"id":"ü"}')}`;
    const bytes = new TextEncoder().encode(text);
    for (let size = 1; size <= bytes.length; size += 1) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.slice(index * size, (index + 1) * size),
      );
      expect(bodiesOf(pieces).bodies).toEqual(['{"id":1}', '{"id":"ü"}']);
    }
  });

  test('may have other headers, in any case, and lines that end with LF', () => {
    const headers = [
      'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 2\r\n\r\n',
      'Content-Length: 2\n\n',
      'Content-Length:2\r\n\n',
    ];
    for (const header of headers)
      expect(bodiesOf([bytesOf(`${header}{}${good}`)]).bodies).toEqual(['{}', '{"id":1}']);
  });
});

describe('An unreadable header loses only its own message, and is reported', () => {
  test.each([
    'Content-Length: abc\r\n\r\n{}',
    'Content-Length: -5\r\n\r\n{}',
    'Content-Length: 1e3\r\n\r\n{}',
    'Content-Length: 99999999999999999999\r\n\r\n{}',
    'Content-Length:\r\n\r\n{}',
    'Content-Type: nothing\r\n\r\n{}',
    'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    '\r\n\r\n',
    '\n\n\n\n',
    `${'x'.repeat(100_000)}\r\n\r\n`,
  ])('%j', (broken) => {
    const { bodies, troubles } = bodiesOf([bytesOf(`${good}${broken}${good}`)]);
    expect(bodies).toEqual(['{"id":1}', '{"id":1}']);
    expect(troubles.length).toBeGreaterThan(0);
  });
});

test('Bytes outside a message are not kept', () => {
  const frames = readFrames(() => {});
  for (let round = 0; round < 1_000; round += 1) expect(frames.take(bytesOf('x'.repeat(10_000)))).toEqual([]);
  expect(frames.take(bytesOf(`\r\n\r\n${good}`)).map(textOf)).toEqual(['{"id":1}']);
});

function framed(body: string): string {
  return `Content-Length: ${bytesOf(body).length}\r\n\r\n${body}`;
}

function bodiesOf(pieces: readonly Uint8Array[]) {
  const troubles: string[] = [];
  const frames = readFrames((trouble) => troubles.push(trouble));
  return { bodies: pieces.flatMap((piece) => frames.take(piece).map(textOf)), troubles };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
