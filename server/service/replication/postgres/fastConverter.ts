/** The engine's converters, except those that are faster in Node: large values of `bytea` take a third of the time. */
import {
  type Convert,
  readBytes,
  toConverter,
  type ValueOptions,
} from '../../../engine/plan/values/postgres/convert.ts';
import type { Types } from '../../../engine/plan/values/postgres/types.ts';

export function toFastConverter(oid: number, types: Types, options: ValueOptions): Convert {
  const convert = toConverter(oid, types, options);
  return convert === readBytes ? decodeBytes : convert;
}

function decodeBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex'));
}
