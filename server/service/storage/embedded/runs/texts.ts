/**
 * The texts of runs. Long texts are compressed: the operations of a table are similar, so only a sixth of the bytes is written
 * and read. Decompressed bytes are sent as they are and never become a string.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The columns of a text. Only one of the first two has a value; `size` is the number of bytes of the uncompressed text. */
type StoredText =
  | readonly [json: string, zstd: null, size: null]
  | readonly [json: '', zstd: Uint8Array, size: number];

export type StoreText = (text: Buffer) => StoredText;

/** Whether Node has zstd, which it has since 22.15. */
export const isZstdThere = typeof zstdCompressSync === 'function';

/** The minimum size for compression in bytes. Compressing a text takes at least 15 µs, and decompressing it at least 10 µs. */
const shortest = 6_000;
/** The ratio above which the compressed text is not used, because the original is faster to read. */
const worthwhile = 0.8;
/** Higher levels take longer, and save little on texts as repetitive as these. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

export function storeAsItIs(text: Buffer): StoredText {
  return [text.toString(), null, null];
}

export function storeCompressed(text: Buffer): StoredText {
  const size = text.length;
  if (size < shortest) return storeAsItIs(text);
  const zstd = zstdCompressSync(text, { params, pledgedSrcSize: size, chunkSize: size >> 2 });
  return zstd.length < worthwhile * size ? ['', zstd, size] : storeAsItIs(text);
}

/** Returns undefined if the bytes differ from those that were compressed. */
export function decompress(zstd: Uint8Array, size: number): Uint8Array | undefined {
  try {
    // One byte more, because Node adds another buffer to a full one. 64 is the smallest size that it accepts.
    const text = zstdDecompressSync(zstd, { chunkSize: Math.max(64, size + 1), maxOutputLength: size });
    return text.length === size ? text : undefined;
  } catch {
    return undefined;
  }
}
