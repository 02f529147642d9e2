import type { OpText } from '../../storage/storage.ts';

/**
 * A buffer for assembling a line. A line with data consists of about a thousand texts. Writing them one by one into reused memory
 * takes a third of the time of joining them, and produces no garbage.
 */
interface Scratch {
  write(text: OpText): void;
  /** Returns a copy of everything that was written since the last call. */
  take(): Uint8Array;
}

const firstSize = 64 * 1024;
/** A chunk has about 1 MiB. Memory that a single large row needed is released. */
const largestKept = 4 * 1024 * 1024;
/** The maximum number of UTF-8 bytes for one code unit of a JavaScript string. */
const widest = 3;

export function createScratch(): Scratch {
  let bytes = Buffer.allocUnsafeSlow(firstSize);
  let length = 0;
  return {
    write: (text) => {
      const isString = typeof text === 'string';
      const needed = length + text.length * (isString ? widest : 1);
      if (needed > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, needed));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      if (!isString) bytes.set(text, length);
      length += isString ? bytes.write(text, length, 'utf8') : text.length;
    },
    take: () => {
      const taken = Buffer.allocUnsafeSlow(length);
      bytes.copy(taken, 0, 0, length);
      length = 0;
      if (bytes.length > largestKept) bytes = Buffer.allocUnsafeSlow(firstSize);
      return taken;
    },
  };
}
