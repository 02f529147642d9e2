import type { OpText } from '../../storage/storage.ts';

/**
 * A place to put a line together. One with data is made of a thousand texts: written one by one into memory that is
 * used again and again, they need a third of the time that joining them takes, and leave nothing to be collected.
 */
interface Scratch {
  write(text: OpText): void;
  /** A copy of all that was written since the last time. */
  take(): Uint8Array;
}

const firstSize = 64 * 1024;
/** A chunk is about 1 MiB: what a single large row needed is given back. */
const largestKept = 4 * 1024 * 1024;
/** Bytes of UTF-8 for one unit of a JavaScript text, at most. */
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
