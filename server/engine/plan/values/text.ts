/**
 * Converts any value to text, as `
 * `, `upper()` and casts do.
 */
import { fail } from './failure.ts';
import { realToText } from './numbers.ts';
import type { SqlValue } from './value.ts';

const decoder = new TextDecoder('utf-8');
const encoder = new TextEncoder();

export function toText(value: Exclude<SqlValue, null>): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
      return value.toString();
    case 'number':
      return realToText(value);
    default:
      return decoder.decode(value);
  }
}

/** Returns the bytes of a BLOB, or the UTF-8 bytes of any other value's text. */
export function toBytes(value: Exclude<SqlValue, null>): Uint8Array {
  return value instanceof Uint8Array ? value : encoder.encode(toText(value));
}

/**
 * The maximum length of a text, in UTF-16 units: twice the limit of a synced row. Growing texts stop here before they exhaust the
 * memory.
 */
const longestText = 2 ** 25;

export function joinTexts(left: string, right: string): string {
  return left.length + right.length > longestText ? fail('value-too-large') : left + right;
}

/** Returns a string with one character for each byte. */
export function toLatin(bytes: Uint8Array): string {
  return inPieces(bytes, (piece) => String.fromCharCode(...piece));
}

/** Returns hexadecimal digits in upper case. */
export function toHex(bytes: Uint8Array): string {
  if (bytes.length > longestText / 2) fail('value-too-large');
  const text = new Uint8Array(2 * bytes.length);
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] as number;
    text[2 * i] = hexDigit(byte >> 4);
    text[2 * i + 1] = hexDigit(byte & 15);
  }
  return decoder.decode(text);
}

function hexDigit(value: number): number {
  return value < 10 ? 0x30 + value : 0x37 + value;
}

/** The number of bytes that are passed as arguments of one call. */
const pieceLength = 8_192;

function inPieces(bytes: Uint8Array, write: (piece: Uint8Array) => string): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength)
    pieces.push(write(bytes.subarray(at, at + pieceLength)));
  return pieces.join('');
}
