/** Lines of JSON. Operations are stored as they travel, so a line with data is put together without parsing them. */
import type { OpChunk } from '../../storage/storage.ts';
import type { Encoder } from './encoder.ts';
import { createScratch } from './scratch.ts';

export const jsonEncoder: Encoder = {
  name: 'json',
  line: (line) => Buffer.from(`${JSON.stringify(line)}\n`),
  data: (chunk) => dataLine(chunk, (text) => text),
};

/** For clients that want the data of a row as an object: its text is put in as it is, which keeps all digits. */
export const nestedJsonEncoder: Encoder = {
  name: 'nested json',
  line: jsonEncoder.line,
  data: (chunk) => dataLine(chunk, nest),
};

const scratch = createScratch();

function dataLine(
  { bucket, after, nextAfter, hasMore, texts }: OpChunk,
  write: (text: string) => string,
): Uint8Array {
  scratch.write(
    `{"data":{"bucket":${JSON.stringify(bucket)},"after":"${after}","has_more":${hasMore},"data":[`,
  );
  for (const [index, text] of texts.entries()) {
    if (index > 0) scratch.write(',');
    scratch.write(write(text));
  }
  scratch.write(`],"next_after":"${nextAfter}"}}\n`);
  return scratch.take();
}

function nest(text: string): string {
  const ops = JSON.parse(`[${text}]`) as readonly { readonly data?: string | null }[];
  return ops.map(nestOp).join(',');
}

function nestOp({ data, ...rest }: { readonly data?: string | null }): string {
  if (typeof data !== 'string') return JSON.stringify({ ...rest, data });
  return `${JSON.stringify(rest).slice(0, -1)},"data":${data}}`;
}
