/** A piece of output for one or many clients, which is built once and never changed. */
import { deflate } from './deflate.ts';

export interface Block {
  /** Complete lines or documents. */
  readonly lines: readonly Uint8Array[];
  /** The size of all lines in bytes. */
  readonly size: number;
  readonly plain: Fragment;
  /** The lines as parts of a gzip stream, without its beginning and end. Deflating large parts takes a while. */
  readonly deflated: Fragment | Promise<Fragment>;
}

export interface Fragment {
  readonly bytes: Uint8Array;
  /**
   * The same bytes as a chunk of HTTP/1.1. A large chunk consists of pieces, because copying it takes longer than writing three
   * pieces.
   */
  readonly chunk: readonly Uint8Array[];
}

/** The destination of encoded lines. */
export interface Sink {
  /**
   * Sends a block in order, without cutting any line. Returns undefined if the sink accepts more. Otherwise, the promise resolves
   * when it does, or when the client is gone.
   */
  send(block: Block): Promise<void> | undefined;
}

/** Builds a block of at least one line. */
export function blockOf(lines: readonly Uint8Array[]): Block {
  const size = lines.reduce((sum, { byteLength }) => sum + byteLength, 0);
  let plain: Fragment | undefined;
  let deflated: Block['deflated'] | undefined;
  const block: Block = {
    lines,
    size,
    get plain() {
      plain ??= fragmentOf(lines.length === 1 ? (lines[0] as Uint8Array) : Buffer.concat(lines, size));
      return plain;
    },
    get deflated() {
      if (deflated === undefined) {
        const bytes = deflate(block.plain.bytes);
        deflated = bytes instanceof Promise ? bytes.then(fragmentOf) : fragmentOf(bytes);
      }
      return deflated;
    },
  };
  return block;
}

export function fragmentOf(bytes: Uint8Array): Fragment {
  let chunk: readonly Uint8Array[] | undefined;
  return {
    bytes,
    get chunk() {
      if (chunk === undefined) {
        const pieces = [Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, lineEnd];
        chunk = bytes.byteLength < large ? [Buffer.concat(pieces)] : pieces;
      }
      return chunk;
    },
  };
}

const lineEnd = Buffer.from('\r\n');
/** The size in bytes from which a block is written in pieces, because copying it would take longer. */
const large = 64 * 1024;
