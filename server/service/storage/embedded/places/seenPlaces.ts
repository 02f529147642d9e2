/** A set of places with false positives but no false negatives, like a Bloom filter. */
export interface SeenPlaces {
  add(place: number): void;
  has(place: number): boolean;
}

/**
 * A bit for 32 places that follow each other: 16 MiB, as far as they are used. Of 20 million places, whose beginnings are
 * random, every seventh of others is taken for seen.
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

/** Tables do not share theirs. */
function bitOf(place: number): number {
  const table = Math.floor(place / 2 ** 32);
  return ((place >>> 0) ^ Math.imul(table, 0x9e3779b1)) >>> 5;
}
