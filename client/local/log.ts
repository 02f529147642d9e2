/** Follows the log of the local service, which also is there when no window looks. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Returns a function that returns the text since its last call. A file that is shorter than before is a new one. */
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
