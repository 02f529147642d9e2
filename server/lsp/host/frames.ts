/**
 * Takes a stream of bytes apart into the messages of the language protocol. A header that cannot be read costs its own
 * message and no more: the reader of `vscode-jsonrpc` would wait for the end of it forever.
 */
interface FrameReader {
  /** The bodies of the messages that are complete with these bytes. */
  readonly take: (bytes: Uint8Array) => readonly Uint8Array[];
}

/** The maximum size of a header in bytes. It has two short lines. */
const longestHeader = 8 * 1024;
/** The maximum size of a body in bytes. A client that announces more would keep the server waiting forever. */
const largestBody = 512 * 1024 * 1024;

/** @param report what could not be read, in a sentence */
export function readFrames(report: (trouble: string) => void): FrameReader {
  /** The unread bytes: all of a header, and the arrived part of a body. */
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

/** After the empty line. Lines may end with LF alone. */
function endOfHeader(bytes: Uint8Array): number | undefined {
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    const next = bytes[at + 1] === carriageReturn ? at + 2 : at + 1;
    if (bytes[next] === lineFeed) return next + 1;
  }
  return undefined;
}

/** The last one counts: before it may be the body of a message whose own length was wrong. */
function lengthIn(header: string): number | undefined {
  const digits = [...header.matchAll(/content-length:([^\r\n]*)/gi)].at(-1)?.[1]?.trim() ?? '';
  const length = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
  return length <= largestBody ? length : undefined;
}
