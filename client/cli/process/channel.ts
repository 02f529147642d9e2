/** Lines over two streams with bounded memory, because nothing is read before the reader asks for the next line. */
import type { Readable, Writable } from 'node:stream';
import type { LineChannel } from '../world.ts';

/** The maximum number of bytes in a line: several times the longest text of a tool in JSON. */
const longestLine = 8 * 1024 * 1024;

export function openChannel(input: Readable, output: Writable, longest = longestLine): LineChannel {
  return {
    lines: linesOf(input, longest),
    send: (line) =>
      new Promise((resolve, reject) => {
        output.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

async function* linesOf(input: Readable, longest: number): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineBreak); end !== -1; end = chunk.indexOf(lineBreak, start)) {
      yield size + end - start > longest
        ? undefined
        : Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8');
      parts = [];
      size = 0;
      start = end + 1;
    }
    size += chunk.length - start;
    // Beyond the limit, bytes are counted but not kept.
    if (size <= longest) parts.push(chunk.subarray(start));
    else parts = [];
  }
  if (size > 0) yield size > longest ? undefined : Buffer.concat(parts).toString('utf8');
}

const lineBreak = 0x0a;
