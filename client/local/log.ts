/** Follows the log of the local service, which is also written when no window is open. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Returns a function that returns the text since its last call. A file that has become shorter is treated as a new file. */
export function followFile(path: string): () => string {
  let at = 0;
  return () => {
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch {
      return '';
    }
    try {
      const { size } = fstatSync(file);
      if (size < at) at = 0;
      const bytes = Buffer.alloc(size - at);
      at += readSync(file, bytes, 0, bytes.length, at);
      return bytes.toString('utf8');
    } finally {
      closeSync(file);
    }
  };
}
