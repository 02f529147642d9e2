/** Arbitrary bytes from a client of the language server, which must still read the message after them. */
import { readFrames } from '../../server/lsp/host/frames.ts';
import { changeBytes } from './bytes.ts';
import type { Outcome, Target } from './target.ts';

const framed = (body: string, header = `Content-Length: ${Buffer.byteLength(body)}`): string =>
  `${header}\r\n\r\n${body}`;

const request = '{"jsonrpc":"2.0","id":1,"method":"shutdown"}';
const seeds = [
  framed(request) + framed('{"jsonrpc":"2.0","method":"initialized","params":{}}'),
  framed('{}', 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 2'),
  framed('{"text":"ü💧"}'),
  framed(''),
];

export const languageFrames: Target = {
  name: 'language-frames',
  seeds: seeds.map((seed) => Buffer.from(seed)),
  mutate: (input, random) => changeBytes(input, random).subarray(0, 4_000),
  attempt: (input) => inPieces(input) ?? afterwards(input),
};

/** Checks that the input contains the same messages in one piece and byte by byte. */
function inPieces(input: Buffer): Outcome | undefined {
  const whole = bodiesOf([input]);
  const bytewise = bodiesOf([...input].map((byte) => Buffer.from([byte])));
  if (whole.join('\n') === bytewise.join('\n')) return undefined;
  return {
    feature: 'pieces',
    failure: `${whole.length} messages in one piece, ${bytewise.length} byte by byte`,
  };
}

/**
 * Checks that the message after the input is read, unless the input has a readable length, because the server may wait for
 * that many bytes.
 */
function afterwards(input: Buffer): Outcome {
  const bodies = bodiesOf([input, Buffer.from(`\r\n\r\n${framed(request)}`)]);
  const isHeard = bodies.at(-1) === request;
  const mayWait = /content-length:[ \t]*\d+/i.test(input.toString('latin1'));
  if (!isHeard && !mayWait) return { feature: 'silence', failure: 'the message after it is not read' };
  return { feature: `${bodies.length} ${isHeard}` };
}

function bodiesOf(pieces: readonly Uint8Array[]): string[] {
  const frames = readFrames(() => {});
  return pieces.flatMap((piece) => frames.take(piece).map((body) => Buffer.from(body).toString('latin1')));
}
