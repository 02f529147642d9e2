/** Reads an archive of the program `tar`. */

interface TarFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The size of a block in bytes. Each file begins with a block that describes it. */
const blockSize = 512;

/** Returns the ordinary files of an archive (POSIX ustar), without folders. */
export function* filesIn(archive: Uint8Array): Iterable<TarFile> {
  const text = (from: number, length: number) =>
    Buffer.from(archive.subarray(from, from + length))
      .toString('utf8')
      .replace(/\0.*$/s, '');
  for (let at = 0; at + blockSize <= archive.length; ) {
    const name = text(at, 100);
    // The archive ends with blocks of zeros.
    if (name === '') return;
    const size = Number.parseInt(text(at + 124, 12), 8) || 0;
    const type = text(at + 156, 1);
    const prefix = text(at + 257, 5) === 'ustar' ? text(at + 345, 155) : '';
    const start = at + blockSize;
    if (type === '' || type === '0')
      yield {
        path: prefix === '' ? name : `${prefix}/${name}`,
        bytes: archive.subarray(start, start + size),
      };
    at = start + Math.ceil(size / blockSize) * blockSize;
  }
}
