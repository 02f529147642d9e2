/** What is sent to one client or to many: put together once, and changed by nobody. */
export interface Block {
  /** Each of them whole: one line, or one document. */
  readonly lines: readonly Uint8Array[];
  readonly bytes: Uint8Array;
  /** The same as a chunk of HTTP/1.1. */
  readonly chunk: Uint8Array;
  readonly size: number;
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
  let bytes: Uint8Array | undefined;
  let chunk: Uint8Array | undefined;
  return {
    lines,
    size,
    get bytes() {
      bytes ??= lines.length === 1 ? (lines[0] as Uint8Array) : Buffer.concat(lines, size);
      return bytes;
    },
    get chunk() {
      chunk ??= Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), ...lines, lineEnd]);
      return chunk;
    },
  };
}

const lineEnd = Buffer.from('\r\n');
