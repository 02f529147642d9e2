/** Malformed requests. Each one breaks one rule of HTTP or of a route's body, and is otherwise well-formed. */
import { gzipSync } from 'node:zlib';

export interface Door {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** A valid token, so that the service also checks the body. */
  readonly token?: string;
}

export type MalformedInput = readonly [name: string, bytes: Buffer];

/** The request that a smuggling attempt contains. */
export const smuggled = 'GET /probes/startup HTTP/1.1\r\nHost: smuggled\r\n\r\n';

export function malformedRequests(door: Door): readonly MalformedInput[] {
  const { method, path, token } = door;
  const name = (kind: string, what: string) => `${method} ${path}, ${kind}: ${what}`;
  const own = token === undefined ? [] : [`Authorization: Bearer ${token}`];
  const head = (line: string, lines: readonly string[]): string =>
    [line, 'Host: a', 'Connection: close', ...own, ...lines, '', ''].join('\r\n');
  const line = `${method} ${path} HTTP/1.1`;
  const json = 'Content-Type: application/json';
  const of = (
    kind: string,
    table: Readonly<Record<string, string | Buffer>>,
    write: (value: string | Buffer) => string | Buffer,
  ): readonly MalformedInput[] =>
    Object.entries(table).map(([what, value]) => [name(kind, what), Buffer.from(write(value))]);
  const withBody = (lines: readonly string[], body: string | Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(head(line, [...lines, `Content-Length: ${Buffer.byteLength(body)}`])),
      Buffer.from(body),
    ]);

  return [
    ...of('request line', requestLines(method, path), (value) => head(String(value), [])),
    ...of('path', paths(path), (value) => head(`${method} ${value} HTTP/1.1`, [])),
    ...of('header', headers, (value) => head(line, [String(value)])),
    ...of('length', lengths, (value) => `${head(line, [json, ...String(value).split('|')])}{}${smuggled}`),
    ...of(
      'handshake',
      handshakes,
      (value) => `${withoutClose(head(line, [...socket, String(value)]))}${smuggled}`,
    ),
    // The service answers a GET without reading its body.
    ...(method === 'GET'
      ? []
      : [
          ...of('chunks', chunks, (value) => `${head(line, [json, 'Transfer-Encoding: chunked'])}${value}`),
          ...of('body', bodies, (value) => withBody([json], value)),
          ...of('type', types, (value) => withBody([String(value)], '{}')),
          ...of('encoding', encodings, (value) => withBody([json, 'Content-Encoding: gzip'], value)),
        ]),
  ];
}

function withoutClose(text: string): string {
  return text.replace('Connection: close\r\n', '');
}

function requestLines(method: string, path: string): Readonly<Record<string, string>> {
  return {
    'a method in small letters': `${method.toLowerCase()} ${path} HTTP/1.1`,
    'an unknown method': `FETCH ${path} HTTP/1.1`,
    'the other method': `${method === 'GET' ? 'POST' : 'GET'} ${path} HTTP/1.1`,
    'a method of WebDAV': `PROPFIND ${path} HTTP/1.1`,
    TRACE: `TRACE ${path} HTTP/1.1`,
    CONNECT: 'CONNECT a:80 HTTP/1.1',
    'NUL in the method': `${method}\0 ${path} HTTP/1.1`,
    'no version': `${method} ${path}`,
    'HTTP/0.9': `${method} ${path} HTTP/0.9`,
    'HTTP/2.0': `${method} ${path} HTTP/2.0`,
    'HTTP/1.12': `${method} ${path} HTTP/1.12`,
    'another protocol': `${method} ${path} ICY/1.1`,
    'the preface of HTTP/2': 'PRI * HTTP/2.0',
    'a space in the path': `${method} ${path} x HTTP/1.1`,
    tabs: `${method}\t${path}\tHTTP/1.1`,
    'no path': `${method} HTTP/1.1`,
    'a star': `${method} * HTTP/1.1`,
    'a line feed in the path': `${method} ${path}\n HTTP/1.1`,
    'garbage before it': `\x16\x03\x01\x02${method} ${path} HTTP/1.1`,
    'a path of 70,000 characters': `${method} ${path}${'a'.repeat(70_000)} HTTP/1.1`,
  };
}

function paths(path: string): Readonly<Record<string, string>> {
  return {
    '%00 at its end': `${path}%00`,
    '%00 in it': path.replace(/^../, '$&%00'),
    'half an escape': `${path}%`,
    'no escape': `${path}%zz`,
    'an overlong escape': `/%c0%af${path}`,
    'a folder up': `/..${path}`,
    'a folder up, escaped': `/%2e%2e${path}`,
    'two slashes': `/${path}`,
    'a slash at its end': `${path}/`,
    backslashes: path.replaceAll('/', '\\'),
    'large letters': path.toUpperCase(),
    'a parameter': `${path};a=b`,
    'an escaped letter': path.replace('c', '%63').replace('e', '%65').replace(/\/p/, '/%70'),
    'an escaped question mark': `${path}%3fa=b`,
    'the address of another host': `http://[::1${path}`,
    'a scheme': `file://${path}`,
    'bytes that are no UTF-8': `${path}\xff\xfe`,
  };
}

const headers = {
  'a folded one': 'X-A: a\r\n b',
  'a folded length': 'Content-Length:\r\n 5',
  'no colon': 'X-A',
  'no name': ': a',
  'a space before the colon': 'X-A : a',
  'a space before the name': ' X-A: a',
  'NUL in the value': 'X-A: a\0b',
  'NUL in the name': 'X\0A: a',
  'a carriage return in the value': 'X-A: a\rb',
  'a control character in the name': 'X\x01A: a',
  'brackets in the name': 'X(A): a',
  'one of 70,000 characters': `X-A: ${'a'.repeat(70_000)}`,
  '20,000 of them': Array.from({ length: 20_000 }, (_, n) => `X${n}: a`).join('\r\n'),
};

/** A `|` separates several headers. */
const lengths = {
  two: 'Content-Length: 2|Content-Length: 3',
  'two alike': 'Content-Length: 2|Content-Length: 2',
  'two in one': 'Content-Length: 2, 2',
  negative: 'Content-Length: -2',
  'with a sign': 'Content-Length: +2',
  hexadecimal: 'Content-Length: 0x2',
  'a fraction': 'Content-Length: 2.0',
  'two numbers': 'Content-Length: 2 2',
  'a word': 'Content-Length: two',
  '2 to the power of 64': 'Content-Length: 18446744073709551616',
  empty: 'Content-Length:',
  'and chunks': 'Content-Length: 2|Transfer-Encoding: chunked',
  'chunks, and it': 'Transfer-Encoding: chunked|Content-Length: 2',
  'a strange encoding': 'Transfer-Encoding: xchunked',
  'chunks before another encoding': 'Transfer-Encoding: chunked, identity',
  'chunks twice': 'Transfer-Encoding: chunked|Transfer-Encoding: identity',
  'a vertical tab before chunks': 'Transfer-Encoding: \x0bchunked',
  'a space behind the name of the encoding': 'Transfer-Encoding : chunked',
};

const chunks = {
  'a size that is no number': 'zz\r\n{}\r\n0\r\n\r\n',
  'a negative size': '-1\r\n{}\r\n0\r\n\r\n',
  'a size of 17 digits': 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n',
  'a size with a prefix': '0x2\r\n{}\r\n0\r\n\r\n',
  'no size': '\r\n{}\r\n0\r\n\r\n',
  'a size that is too small': '1\r\n{}\r\n0\r\n\r\n',
  'a size that is too large': '5\r\n{}\r\n0\r\n\r\n',
  'no line break behind one': '2\r\n{}0\r\n\r\n',
  'a line feed alone behind a size': `2\n{}\n0\n\n${smuggled}`,
  'an extension of 100,000 characters': `2;${'a'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
  'no last one': '2\r\n{}\r\n',
  'a trailer without a colon': '2\r\n{}\r\n0\r\ntrailer\r\n\r\n',
};

const socket = ['Connection: Upgrade', 'Upgrade: websocket'];
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const handshakes = {
  'without a key': 'Sec-WebSocket-Version: 13',
  'without a version': key.trim(),
  'of version 99': `${key}Sec-WebSocket-Version: 99`,
  'with a short key': 'Sec-WebSocket-Key: a\r\nSec-WebSocket-Version: 13',
  'with a bad protocol': `${key}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: a,,a`,
};

const bodies = {
  nothing: '',
  'half an object': '{',
  'two objects': '{"a":1}{"b":2}',
  'a comma too many': '{"a":1,}',
  'quotation marks of another language': "{'a':1}",
  'a word': 'undefined',
  'no number': '{"a":NaN}',
  'a number with a leading zero': '{"a":01}',
  'a line break in a string': '{"a":"\n"}',
  'half a string': '{"a":"',
  'half an escape': '{"a":"\\u12"}',
  'a comment': '{} // nothing',
  NUL: '{"a":1}\0',
  'bytes that are no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  'UTF-16': Buffer.from('{"a":1}', 'utf16le'),
  '100,000 brackets': '['.repeat(100_000),
  '500,000 values': `{"a":[${'1,'.repeat(499_999)}1]}`,
  'more than a mebibyte': `{"a":"${'a'.repeat(1024 * 1024)}"}`,
};

const types = {
  none: 'X-A: a',
  empty: 'Content-Type:',
  'of a page': 'Content-Type: text/html',
  'of a form': 'Content-Type: application/x-www-form-urlencoded',
  'of parts': 'Content-Type: multipart/form-data; boundary=a',
  'of bytes': 'Content-Type: application/octet-stream',
  'of a kind of JSON': 'Content-Type: application/problem+json',
  'a name that is too long': 'Content-Type: application/jsonx',
  'half of it': 'Content-Type: application/',
  'a semicolon': 'Content-Type: ;',
  'two of them': 'Content-Type: text/html, application/json',
  'of an object in JavaScript': 'Content-Type: constructor',
};

const encodings = {
  'what is compressed': gzipSync('{}'),
  'what says that it is': Buffer.from([0x1f, 0x8b, 0, 0]),
  'a mebibyte of it': gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20)),
};
