/** Bytes that are deflated by themselves, so that they can follow any others: nothing in them refers to what came before. */
import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';

/** They end at the end of a byte, and are not the last ones. */
const options: ZlibOptions = { level: 1, finishFlush: constants.Z_SYNC_FLUSH };

const deflateBeside = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw);

/** Bytes. Fewer are deflated at once, in about a tenth of a millisecond; more in another thread. */
const fewBytes = 16 * 1024;

/** Of lines that are far smaller than the window, which is as large as it needs to be: it is allocated each time. */
const smallOptions = { ...options, windowBits: 12, memLevel: 5 };
const smallBytes = 2 * 1024;

export function deflate(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
  if (bytes.byteLength > fewBytes) return deflateBeside(bytes, options);
  return deflateRawSync(bytes, bytes.byteLength > smallBytes ? options : smallOptions);
}
