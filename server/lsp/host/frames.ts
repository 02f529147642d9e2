/**
 * Splits a stream of bytes into the messages of the language protocol. An unreadable header loses only its own message, whereas the
 * reader of `vscode-jsonrpc` would wait forever for the end of that message.
 */
interface FrameReader {
  /** Adds bytes and returns the bodies of the messages that are now complete. */
  readonly take: (bytes: Uint8Array) => readonly Uint8Array[];
}

/** The maximum size of a header in bytes. A real header has two short lines. */
const longestHeader = 8 * 1024;
/** The maximum size of a body in bytes. The server would wait forever for a larger announced body. */
const largestBody = 512 * 1024 * 1024;

/** @param report receives a message about each header that cannot be read */
export function readFrames(report: (trouble: string) => void): FrameReader {
  /** The bytes that have arrived but belong to an incomplete header or body. */
  let waiting: Uint8Array[] = [];
  let size = 0;
  let bodyLength: number | undefined;

  const joinChunks = (): Uint8Array => {
    const [only] = waiting;
    if (waiting.length === 1 && only) return only;
    const all = new Uint8Array(size);
    let at = 0;
    for (const piece of waiting) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  };
  const keep = (rest: Uint8Array): void => {
    waiting = [rest];
    size = rest.length;
  };

  function takeHeader(): boolean {
    const bytes = joinChunks();
    const end = endOfHeader(bytes);
    if (end === undefined) {
      keep(bytes.length > longestHeader ? bytes.slice(bytes.length - longestHeader) : bytes);
      return false;
    }
    const header = new TextDecoder('latin1').decode(bytes.subarray(Math.max(end - longestHeader, 0), end));
    bodyLength = lengthIn(header);
    if (bodyLength === undefined)
      report(
        `A message was skipped: its header has no usable Content-Length (${JSON.stringify(header.trim().slice(-80))}).`,
      );
    keep(bytes.slice(end));
    return true;
  }

  return {
    take(bytes) {
      waiting.push(bytes);
      size += bytes.length;
      const bodies: Uint8Array[] = [];
      for (;;) {
        if (bodyLength === undefined) {
          if (!takeHeader()) return bodies;
        } else {
          if (size < bodyLength) return bodies;
          const all = joinChunks();
          bodies.push(all.slice(0, bodyLength));
          keep(all.slice(bodyLength));
          bodyLength = undefined;
        }
      }
    },
  };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Returns the position after the empty line that ends a header. Lines may end with LF alone. */
function endOfHeader(bytes: Uint8Array): number | undefined {
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    const next = bytes[at + 1] === carriageReturn ? at + 2 : at + 1;
    if (bytes[next] === lineFeed) return next + 1;
  }
  return undefined;
}

/** Returns the last Content-Length, because the text before it may be the body of a message that announced a wrong length. */
function lengthIn(header: string): number | undefined {
  const digits = [...header.matchAll(/content-length:([^\r\n]*)/gi)].at(-1)?.[1]?.trim() ?? '';
  const length = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
  return length <= largestBody ? length : undefined;
}
