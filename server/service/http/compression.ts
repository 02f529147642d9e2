/** The bodies of sync streams, compressed as the client can read them. */
import type { ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createGzip, createZstdCompress } from 'node:zlib';
import type { Block } from './block.ts';

export type Encoding = 'zstd' | 'gzip' | 'identity';

/** Preferred at equal quality: the earlier. Node has zstd since 22.15. */
const known: readonly Encoding[] =
  typeof createZstdCompress === 'function' ? ['zstd', 'gzip', 'identity'] : ['gzip', 'identity'];

/** What an `Accept-Encoding` header asks for. One that names nothing of ours gets the text as it is. */
export function encodingFor(header: string | undefined): Encoding {
  if (!header) return 'identity';
  const qualities = new Map(header.split(',').map(readChoice));
  const qualityOf = (encoding: Encoding): number => {
    // Not named, the text as it is is the last resort, unless `*` says something of it.
    const rest =
      encoding === 'identity' ? (qualities.get('*') ?? Number.MIN_VALUE) : (qualities.get('*') ?? 0);
    return qualities.get(encoding) ?? rest;
  };
  const best = Math.max(...known.map(qualityOf));
  return known.find((encoding) => best > 0 && qualityOf(encoding) === best) ?? 'identity';
}

function readChoice(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name, quality === undefined ? 1 : Number(quality) || 0];
}

/** Streams are many and long-lived: a window of 128 KiB each instead of megabytes. */
const zstdWindowLog = 17;

/** Where a stream's chunks go. What is written after the client has gone is lost without an error. */
export interface StreamBody {
  /** Sends the block at once. Undefined if there is room for more; otherwise resolves when there is. */
  readonly write: (block: Block) => Promise<void> | undefined;
  readonly end: () => void;
}

/**
 * The head is the caller's, with `Content-Encoding` unless it is `identity`.
 * @param onSent gets how many bytes went out
 */
export function streamBody(
  response: ServerResponse,
  encoding: Encoding,
  onSent: (bytes: number) => void,
): StreamBody {
  if (encoding === 'identity') return plainBody(response, onSent);
  const compressor = encoding === 'gzip' ? createFlushingGzip() : createFlushingZstd();
  compressor.on('data', (chunk: Buffer) => onSent(chunk.length));
  compressor.on('error', () => response.destroy());
  response.once('close', () => compressor.destroy());
  compressor.pipe(response);
  // A compressor that is destroyed forgets the writes that waited for the client.
  const waiting = new Set<() => void>();
  compressor.once('close', () => {
    for (const go of waiting) go();
  });
  return {
    write: ({ bytes }) =>
      new Promise((resolve) => {
        if (compressor.destroyed) return resolve();
        const go = (): void => {
          waiting.delete(go);
          resolve();
        };
        waiting.add(go);
        compressor.write(bytes, go);
      }),
    end: () => void compressor.end(),
  };
}

function plainBody(response: ServerResponse, onSent: (bytes: number) => void): StreamBody {
  let hasBegun = false;
  /** Whether there is room for more. The first block goes with the head; a chunk of it would be made for each client again. */
  const put = (block: Block): boolean => {
    const { socket } = response;
    if (hasBegun && response.chunkedEncoding && socket !== null) return socket.write(block.chunk);
    hasBegun = true;
    const hasRoom = response.write(block.bytes);
    flattenHead(response);
    return hasRoom;
  };
  return {
    write: (block) => {
      if (response.destroyed) return undefined;
      onSent(block.size);
      return put(block) ? undefined : roomIn(response);
    },
    end: () => void response.end(),
  };
}

/**
 * Node keeps the head of an answer as the 36 pieces that it was made of. To read one of its characters makes it one piece,
 * which takes a kilobyte less: there may be thousands of streams.
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

function createFlushingGzip(): Transform {
  return createGzip({ level: 1, flush: constants.Z_SYNC_FLUSH });
}

function createFlushingZstd(): Transform {
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: zstdWindowLog };
  return createZstdCompress({ flush: constants.ZSTD_e_flush, params });
}
