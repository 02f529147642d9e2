/** Deflates bytes separately, so that they can follow any other bytes: nothing in them refers to earlier ones. */
import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';

/** The output ends at the end of a byte, and does not contain the last block. */
const options: ZlibOptions = { level: 1, finishFlush: constants.Z_SYNC_FLUSH };

const deflateBeside = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw);

/** Bytes. Fewer are deflated at once, in about a tenth of a millisecond; more in another thread. */
const fewBytes = 16 * 1024;

/**
 * Options for lines that are far smaller than the usual window. The window is only as large as needed, because it is allocated
 * each time.
 */
const smallOptions = { ...options, windowBits: 12, memLevel: 5 };
const smallBytes = 2 * 1024;

export function deflate(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
  if (bytes.byteLength > fewBytes) return deflateBeside(bytes, options);
  return deflateRawSync(bytes, bytes.byteLength > smallBytes ? options : smallOptions);
}
