/** Lines of JSON. Operations are stored as they travel, so a line with data is put together without parsing them. */
import type { OpChunk, StoredOp } from '../../storage/storage.ts';
import type { Encoder } from './encoder.ts';
import { createScratch } from './scratch.ts';

export const jsonEncoder: Encoder = {
  name: 'json',
  line: (line) => Buffer.from(`${JSON.stringify(line)}\n`),
  data: (chunk) => dataLine(chunk, ({ json }) => json),
};

/** For clients that want the data of a row as an object: its text is put in as it is, which keeps all digits. */
export const nestedJsonEncoder: Encoder = {
  name: 'nested json',
  line: jsonEncoder.line,
  data: (chunk) => dataLine(chunk, nest),
};

const scratch = createScratch();

function dataLine(
  { bucket, after, nextAfter, hasMore, ops }: OpChunk,
  write: (op: StoredOp) => string,
): Uint8Array {
  scratch.write(
    `{"data":{"bucket":${JSON.stringify(bucket)},"after":"${after}","has_more":${hasMore},"data":[`,
  );
  for (const [index, op] of ops.entries()) {
    if (index > 0) scratch.write(',');
    scratch.write(write(op));
  }
  scratch.write(`],"next_after":"${nextAfter}"}}\n`);
  return scratch.take();
}

function nest({ json }: StoredOp): string {
  const { data, ...rest } = JSON.parse(json) as { readonly data?: string | null };
  const text = JSON.stringify(rest);
  return typeof data === 'string' ? `${text.slice(0, -1)},"data":${data}}` : json;
}
