/** Writes the bodies of sync streams: blocks are sent immediately, compressed or not. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { constants, crc32, createZstdCompress } from 'node:zlib';
import { startAlone } from '../ground/unattended.ts';
import { type Block, type Fragment, fragmentOf, type Sink } from './block.ts';
import type { Encoding } from './compression.ts';
import type { Head } from './route.ts';

/** A body of a stream. Blocks that are sent after the client has gone are dropped without an error. */
export interface StreamBody extends Sink {
  end(): void;
}

/**
 * Returns the body of a stream. The head is written with the first block, because an error can be answered until then.
 * @param onSent gets the number of sent bytes
 */
export function streamBody(
  response: ServerResponse,
  encoding: Encoding,
  head: Head,
  onSent: (bytes: number) => void,
): StreamBody {
  const open = bodies[encoding];
  return open(response, head, onSent);
}

const bodies: Readonly<Record<Encoding, typeof plainBody>> = {
  identity: plainBody,
  gzip: gzipBody,
  zstd: zstdBody,
};

interface Output {
  readonly response: ServerResponse;
  /** The head. Undefined after it was written. */
  head: Head | undefined;
  readonly onSent: (bytes: number) => void;
}

function plainBody(response: ServerResponse, head: Head, onSent: (bytes: number) => void): StreamBody {
  const output: Output = { response, head, onSent };
  return {
    send: ({ plain }) => put(output, plain),
    end: () => {
      begin(output);
      response.end();
    },
  };
}

/** The header of a gzip stream: deflated at a fast level, without optional fields. RFC 1952, 2.3. */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
/** An empty last block with fixed codes. RFC 1951, 3.2.6. */
const lastBlock = Buffer.from([3, 0]);

/**
 * Returns a gzip stream of blocks that were deflated separately, once for all clients. A compressor for each client would take
 * 256 KB, and would deflate the same bytes again. Only the checksum at the end is computed for each client.
 */
function gzipBody(response: ServerResponse, head: Head, onSent: (bytes: number) => void): StreamBody {
  const output: Output = { response, head, onSent };
  let sum = 0;
  let size = 0;
  /** Settles after the blocks that are being deflated or are waiting for it. */
  let last: Promise<void> | undefined;
  const send = ({ plain, deflated }: Block): Promise<void> | undefined => {
    sum = crc32(plain.bytes, sum);
    size += plain.bytes.byteLength;
    if (last === undefined && !(deflated instanceof Promise)) return putDeflated(deflated);
    const sent = Promise.all([deflated, last])
      .then(([fragment]) => putDeflated(fragment))
      .catch(() => void response.destroy())
      .then(() => {
        if (last === sent) last = undefined;
      });
    last = sent;
    return sent;
  };
  const putDeflated = (fragment: Fragment): Promise<void> | undefined => {
    if (output.head === undefined) return put(output, fragment);
    return put(output, fragmentOf(Buffer.concat([gzipHead, fragment.bytes])));
  };
  const end = (): void => {
    const rest = Buffer.alloc(8);
    rest.writeUInt32LE(sum);
    rest.writeUInt32LE(size % 2 ** 32, 4);
    const hasBegun = output.head === undefined;
    begin(output);
    response.end(Buffer.concat([...(hasBegun ? [] : [gzipHead]), lastBlock, rest]));
  };
  return {
    send,
    end: () => (last === undefined ? end() : startAlone('Ending a stream', () => last?.then(end))),
  };
}

/**
 * Parameters that save memory. The window for each client is 128 KiB instead of megabytes, and only the used part takes memory.
 * The table has 4 KiB instead of 64, which makes lines of rows neither larger nor slower. A compressor takes 48 KB instead of
 * 111.
 */
const zstdParams = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 17,
  [constants.ZSTD_c_hashLog]: 10,
};

/** Returns a zstd stream with one compressor per client, because not all readers of zstd can read a stream of several frames. */
function zstdBody(response: ServerResponse, head: Head, onSent: (bytes: number) => void): StreamBody {
  const output: Output = { response, head, onSent };
  const compressor = createZstdCompress({ flush: constants.ZSTD_e_flush, params: zstdParams });
  compressor.on('data', (chunk: Buffer) => onSent(chunk.length));
  compressor.on('error', () => response.destroy());
  response.once('close', () => compressor.destroy());
  compressor.pipe(response);
  // A destroyed compressor never calls back for writes that waited for the client.
  const waiting = new Set<() => void>();
  compressor.once('close', () => {
    for (const go of waiting) go();
  });
  return {
    send: ({ plain }) =>
      new Promise((resolve) => {
        if (compressor.destroyed) return resolve();
        begin(output);
        const go = (): void => {
          waiting.delete(go);
          resolve();
        };
        waiting.add(go);
        compressor.write(plain.bytes, go);
      }),
    end: () => {
      begin(output);
      compressor.end();
    },
  };
}

function begin(output: Output): void {
  if (output.head === undefined || output.response.destroyed) return;
  output.response.writeHead(200, output.head);
  output.head = undefined;
}

/**
 * Writes a fragment. The first one is sent with the head. Others use the shared chunk, because otherwise a chunk would be created
 * for each client.
 */
function put(output: Output, { bytes, chunk }: Fragment): Promise<void> | undefined {
  const { response, head, onSent } = output;
  const { socket } = response;
  if (response.destroyed) return undefined;
  onSent(bytes.byteLength);
  if (head === undefined && response.chunkedEncoding && socket !== null)
    return writeAll(socket, chunk) ? undefined : roomIn(response);
  begin(output);
  const hasRoom = response.write(bytes);
  flattenHead(response);
  return hasRoom ? undefined : roomIn(response);
}

/** Writes all pieces in one write. Returns whether there is room for more. */
function writeAll(socket: Socket, pieces: readonly Uint8Array[]): boolean {
  if (pieces.length === 1) return socket.write(pieces[0] as Uint8Array);
  socket.cork();
  for (const piece of pieces) socket.write(piece);
  socket.uncork();
  return !socket.writableNeedDrain;
}

/**
 * Joins the head of a response into one string. Node keeps it as 36 pieces; reading a character joins them, which saves a
 * kilobyte. There may be thousands of streams.
 */
function flattenHead(response: ServerResponse): void {
  const { _header: head } = response as { readonly _header?: unknown };
  if (typeof head === 'string') head.charCodeAt(0);
}

function roomIn(response: ServerResponse): Promise<void> {
  const { socket } = response;
  return new Promise((resolve) => {
    const go = (): void => {
      socket?.off('drain', go);
      response.off('close', go);
      resolve();
    };
    socket?.on('drain', go);
    response.on('close', go);
  });
}
