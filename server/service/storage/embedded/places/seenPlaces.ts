/** A set of places with false positives but no false negatives, like a Bloom filter. */
export interface SeenPlaces {
  add(place: number): void;
  has(place: number): boolean;
}

/**
 * The number of bits, each of which represents 32 consecutive places. They take up to 16 MiB. After 20 million places, which are
 * random, about every seventh other place is a false positive.
 */
const bits = 2 ** 27;

export function rememberPlaces(): SeenPlaces {
  const seen = new Uint8Array(bits / 8);
  return {
    add: (place) => {
      const bit = bitOf(place);
      seen[bit >>> 3] = (seen[bit >>> 3] ?? 0) | (1 << (bit & 7));
    },
    has: (place) => {
      const bit = bitOf(place);
      return ((seen[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
    },
  };
}

/** Returns the bit of a place. The table is mixed in, so that tables do not share bits. */
function bitOf(place: number): number {
  const table = Math.floor(place / 2 ** 32);
  return ((place >>> 0) ^ Math.imul(table, 0x9e3779b1)) >>> 5;
}
