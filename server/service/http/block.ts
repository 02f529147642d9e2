/** What is sent to one client or to many: put together once, and changed by nobody. */
import { deflate } from './deflate.ts';

export interface Block {
  /** Each of them whole: one line, or one document. */
  readonly lines: readonly Uint8Array[];
  /** Bytes of all lines. */
  readonly size: number;
  readonly plain: Fragment;
  /** Without its beginning and its end, a gzip stream is made of these. A large one takes a while. */
  readonly deflated: Fragment | Promise<Fragment>;
}

export interface Fragment {
  readonly bytes: Uint8Array;
  /** The same as a chunk of HTTP/1.1: a large one in pieces, since a copy takes longer than to write three. */
  readonly chunk: readonly Uint8Array[];
}

/** Where encoded lines go. */
export interface Sink {
  /**
   * In order, without cutting any line. Undefined if it takes more; otherwise resolves when it does, or when nobody is
   * there any longer.
   */
  send(block: Block): Promise<void> | undefined;
}

/** There is at least one line. */
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
/** Bytes. */
const large = 64 * 1024;
