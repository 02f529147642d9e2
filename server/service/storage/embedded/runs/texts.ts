/**
 * Texts of runs. Long ones are compressed: operations of a table are much alike, so a sixth is written and read. Decompressed
 * bytes are sent as they are, and never become a string.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The columns. One of both is there; `size`: bytes of the compressed text. */
type StoredText =
  | readonly [json: string, zstd: null, size: null]
  | readonly [json: '', zstd: Uint8Array, size: number];

export type StoreText = (text: Buffer) => StoredText;

/** Node has zstd since 22.15. */
export const isZstdThere = typeof zstdCompressSync === 'function';

/** Bytes. To compress a text takes 15 µs, however short it is, and to decompress it 10 µs. */
const shortest = 6_000;
/** A text that gets hardly shorter is read faster as it is. */
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

/** Returns undefined if the bytes are not those that were compressed. */
export function decompress(zstd: Uint8Array, size: number): Uint8Array | undefined {
  try {
    // Another byte, because Node adds a buffer to a full one; 64 is the smallest size that it accepts.
    const text = zstdDecompressSync(zstd, { chunkSize: Math.max(64, size + 1), maxOutputLength: size });
    return text.length === size ? text : undefined;
  } catch {
    return undefined;
  }
}
