/**
 * Counts the values in a document before it is parsed. Parsing a mebibyte of small values takes a hundred times as long as
 * parsing a long text, and the process cannot answer anyone in the meantime. If the bytes are not a document at all, the parser
 * reports it.
 */

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, brace, bracket] = ['"', '\\', ',', '{', '['].map(code);

/** Whether there are more than `most` values. An empty list or object counts twice. */
export function hasMoreJsonValues(text: Uint8Array, most: number): boolean {
  let count = 1;
  let isInString = false;
  for (let at = 0; at < text.length && count <= most; at += 1) {
    const byte = text[at];
    if (isInString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === comma || byte === brace || byte === bracket) count += 1;
  }
  return count > most;
}

/** For each type (bsonspec.org): the number of bytes before the next value, or before its text. */
const bsonSizes: Readonly<Record<number, number>> = {
  1: 8,
  2: 0,
  3: 4,
  4: 4,
  5: 1,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  12: 12,
  13: 0,
  14: 0,
  15: 8,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
};
/** Types that contain a text, which begins with its length. */
const bsonTexts: readonly number[] = [2, 5, 12, 13, 14, 15];
const bsonRegExp = 11;

/** Whether there are more than `most` values. Nested documents need no recursion, because their values follow each other. */
export function hasMoreBsonValues(bytes: Buffer, most: number): boolean {
  let count = 1;
  let at = 4;
  const skipName = (): boolean => {
    const end = bytes.indexOf(0, at);
    at = end + 1;
    return end !== -1;
  };
  while (at < bytes.length && count <= most) {
    const type = bytes.readUInt8(at);
    at += 1;
    // This byte is the end of a document.
    if (type === 0) continue;
    count += 1;
    if (!skipName()) break;
    if (type === bsonRegExp) {
      if (!skipName() || !skipName()) break;
      continue;
    }
    const size = bsonSizes[type];
    // Code with a scope begins with the total length, which the length of the text follows.
    const lengthAt = type === 15 ? at + 4 : at;
    const hasText = bsonTexts.includes(type);
    if (size === undefined || (hasText && lengthAt + 4 > bytes.length)) break;
    at += size + (hasText ? 4 + bytes.readUInt32LE(lengthAt) : 0);
  }
  return count > most;
}
