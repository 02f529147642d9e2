/** How lines become bytes. Each array that is returned is whole: one line, or one document. */
import type { OpChunk } from '../../storage/storage.ts';
import type { Line } from '../protocol.ts';

export interface Encoder {
  /** Equal for encoders whose bytes are the same. */
  readonly name: 'json' | 'nested json' | 'bson';
  line(line: Line): Uint8Array;
  data(chunk: OpChunk): Uint8Array;
}
