/** The encoding of lines as bytes. Each returned array contains exactly one line or document. */
import { serialize } from 'bson';
import { jsonOfChunk } from '../../storage/chunks.ts';
import type { OpChunk, OpText } from '../../storage/storage.ts';
import type { Line } from '../protocol.ts';
import { createScratch } from './scratch.ts';

export interface Encoder {
  /** Equal for encoders that produce the same bytes. */
  readonly name: 'json' | 'nested json' | 'bson';
  line(line: Line): Uint8Array;
  data(chunk: OpChunk): Uint8Array;
}

/**
 * Lines of JSON. Operations are stored in the form in which they are sent, so a line with data is assembled without parsing them.
 */
export const jsonEncoder: Encoder = {
  name: 'json',
  line: (line) => Buffer.from(`${JSON.stringify(line)}\n`),
  data: (chunk) => dataLine(chunk, chunk.texts),
};

/**
 * The encoder for clients that expect the data of a row as an object. The JSON of the row is inserted unchanged, which keeps all
 * digits.
 */
export const nestedJsonEncoder: Encoder = {
  name: 'nested json',
  line: jsonEncoder.line,
  data: (chunk) => dataLine(chunk, [nest(chunk)]),
};

const scratch = createScratch();

function dataLine({ bucket, after, nextAfter, hasMore }: OpChunk, texts: readonly OpText[]): Uint8Array {
  const head = `{"data":{"bucket":${JSON.stringify(bucket)},"after":"${after}","has_more":${hasMore},"data":[`;
  const tail = `],"next_after":"${nextAfter}"}}\n`;
  if (texts.every(isBytes)) return joinBytes(head, texts, tail);
  scratch.write(head);
  for (const [index, text] of texts.entries()) {
    if (index > 0) scratch.write(',');
    scratch.write(text);
  }
  scratch.write(tail);
  return scratch.take();
}

function isBytes(text: OpText): text is Uint8Array {
  return typeof text !== 'string';
}

/** Joins long texts that are bytes, so that they are copied only once. */
function joinBytes(head: string, texts: readonly Uint8Array[], tail: string): Uint8Array {
  const pieces = texts.flatMap((text, index) => (index > 0 ? [comma, text] : [text]));
  return Buffer.concat([Buffer.from(head), ...pieces, Buffer.from(tail)]);
}

const comma = Buffer.from(',');

function nest(chunk: OpChunk): string {
  const ops = JSON.parse(jsonOfChunk(chunk)) as readonly { readonly data?: string | null }[];
  return ops.map(nestOp).join(',');
}

function nestOp({ data, ...rest }: { readonly data?: string | null }): string {
  if (typeof data !== 'string') return JSON.stringify({ ...rest, data });
  return `${JSON.stringify(rest).slice(0, -1)},"data":${data}}`;
}

/** A sequence of BSON documents, each of which begins with its own length. */
export const bsonEncoder: Encoder = {
  name: 'bson',
  line: (line) => serialize(line, { ignoreUndefined: true }),
  data: (chunk) => {
    const { bucket, after, nextAfter, hasMore } = chunk;
    const data = JSON.parse(jsonOfChunk(chunk)) as unknown;
    return serialize({
      data: { bucket, after: String(after), has_more: hasMore, data, next_after: String(nextAfter) },
    });
  },
};
