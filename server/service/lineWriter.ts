/** Writes lines to a stream whose reader may be slow or absent. Meanwhile, a limited number of lines waits in memory. */
interface LineWriter {
  /** Writes a line. Returns false if the line is dropped, because too many lines are waiting. */
  write(line: string): boolean;
  /** Writes all waiting lines. Call it before the process ends. */
  flush(): void;
}

interface LineStream {
  /** The number of characters that have not been read yet. */
  readonly writableLength: number;
  write(text: string): unknown;
}

/** The maximum number of waiting characters. */
const mostWaiting = 4 * 1024 * 1024;

/** @param defer runs a function in the next round of the event loop, so that all lines of one round are written at once */
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
