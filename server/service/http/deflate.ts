/** Deflates bytes separately, so that the result can follow any other bytes: it never refers to earlier ones. */
import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';

/** Options with which the output ends at a byte boundary and does not contain the last block of a stream. */
const options: ZlibOptions = { level: 1, finishFlush: constants.Z_SYNC_FLUSH };

const deflateBeside = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw);

/**
 * The maximum size in bytes for deflating synchronously, which takes about a tenth of a millisecond. More bytes are deflated in
 * another thread.
 */
const fewBytes = 16 * 1024;

/**
 * Options for lines that are far smaller than the usual window. The window is only as large as needed, because it is allocated
 * for each call.
 */
const smallOptions = { ...options, windowBits: 12, memLevel: 5 };
const smallBytes = 2 * 1024;

export function deflate(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
  if (bytes.byteLength > fewBytes) return deflateBeside(bytes, options);
  return deflateRawSync(bytes, bytes.byteLength > smallBytes ? options : smallOptions);
}
