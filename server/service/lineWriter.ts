/** Lines for a stream that somebody may read slowly, or not at all: then they wait in memory, and only so many. */
interface LineWriter {
  /** Writes a line. Returns false if it is left out, because too many lines wait. */
  write(line: string): boolean;
  /** Before the process ends. */
  flush(): void;
}

interface LineStream {
  /** The number of characters that nobody has read yet. */
  readonly writableLength: number;
  write(text: string): unknown;
}

/** The maximum number of characters that wait. */
const mostWaiting = 4 * 1024 * 1024;

/** @param defer runs it in the next round of the event loop: all lines of a round are written at once */
export function openLineWriter(
  stream: LineStream,
  defer: (run: () => void) => void = setImmediate,
): LineWriter {
  let waiting: string[] = [];
  let size = 0;
  const flush = (): void => {
    if (waiting.length > 0) stream.write(waiting.join(''));
    waiting = [];
    size = 0;
  };
  return {
    flush,
    write: (line) => {
      if (stream.writableLength + size > mostWaiting) return false;
      if (waiting.length === 0) defer(flush);
      waiting.push(`${line}\n`);
      size += line.length + 1;
      return true;
    },
  };
}
