/** Converts keys of rows to their stored form and back. */

/**
 * Returns the 16 bytes of a UUID, which is less than half of its text. They are valid until the next call, which is enough
 * because a statement copies its parameters.
 */
export function bytesOfKey(uuid: string): Uint8Array {
  for (let index = 0, at = 0; index < keyBytes.length; index += 1, at += 2) {
    if (uuid.charCodeAt(at) === hyphen) at += 1;
    keyBytes[index] =
      ((digits[uuid.charCodeAt(at)] as number) << 4) | (digits[uuid.charCodeAt(at + 1)] as number);
  }
  return keyBytes;
}

const keyBytes = new Uint8Array(16);
const hyphen = 0x2d;

/** Writes the 16 bytes of a UUID, if the text has the form that {@link keyOfBytes} writes. Otherwise returns false. */
export function bytesOfUuid(text: string, bytes: Uint8Array, at: number): boolean {
  if (text.length !== 36) return false;
  let from = 0;
  for (let index = 0; index < 16; index += 1, from += 2) {
    if (index === 4 || index === 6 || index === 8 || index === 10) {
      if (text.charCodeAt(from) !== hyphen) return false;
      from += 1;
    }
    const high = lowerDigits[text.charCodeAt(from)] ?? none;
    const low = lowerDigits[text.charCodeAt(from + 1)] ?? none;
    if ((high | low) === none) return false;
    bytes[at + index] = (high << 4) | low;
  }
  return true;
}

const none = 0xff;
const lowerDigits = new Uint8Array(128).fill(none);
for (const digit of '0123456789abcdef') lowerDigits[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/** The value of each hexadecimal digit, by its character code. */
const digits = new Uint8Array(128);
for (const digit of '0123456789abcdefABCDEF') digits[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

export function keyOfBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return parts.join('-');
}

/**
 * The number of places of a table. Numbers above 2⁵³ are not exact, so there can be two million tables, including those of all
 * former deployments.
 */
const places = 2 ** 32;

/** Returns a number made of the table and the first bytes of the key. Few rows share it. */
export function rowPlaceOf(table: number, key: Uint8Array): number {
  let beginning = 0;
  for (let index = 0; index < 4; index += 1) beginning = beginning * 256 + (key[index] ?? 0);
  return table * places + beginning;
}

export function placesOf(table: number): [first: number, last: number] {
  return [table * places, (table + 1) * places - 1];
}

export function tableOfPlace(place: number): number {
  return Math.floor(place / places);
}
