/** Finds the operations of a bucket that later ones cover, even if the bucket has very many rows. */
import type { HeadedOp } from './compaction.ts';
import { keyOfHead, kinds } from './operation.ts';
import type { OpId } from './storage.ts';

/** The memory for the keys of one round, in bytes. */
const keyMemory = 48 * 2 ** 20;
/** The size of a map entry without its text, in bytes. */
const entryBytes = 80;

/**
 * A search examines the operations from the newest to the oldest. If its memory is full, another round searches again from the
 * operation at which it became full, because everything has been found before that operation.
 */
interface CoveringSearch {
  /** Returns the later operation that covers this one. */
  of(op: HeadedOp): OpId | undefined;
  /** Returns the operation with which another round begins, or undefined if all have been found. */
  nextRound(): OpId | undefined;
}

export function searchCovering(memory = keyMemory): CoveringSearch {
  let latest = new Map<string, OpId>();
  let bytes = 0;
  let left: OpId | undefined;
  /** The keys that the first round could not remember. Most rows never change, so most keys need no further round. */
  let repeats: Repeats | undefined;
  let isFirst = true;
  return {
    of: ({ kind, head, opId }) => {
      if (kind !== kinds.PUT && kind !== kinds.REMOVE) return undefined;
      const key = keyOfHead(head);
      const covering = latest.get(key);
      if (covering !== undefined) return covering;
      if (!isFirst && !repeats?.has(key)) return undefined;
      const size = key.length + entryBytes;
      if (bytes + size <= memory || latest.size === 0) {
        bytes += size;
        latest.set(key, opId);
        return undefined;
      }
      left ??= opId;
      if (isFirst) {
        repeats ??= findRepeats();
        repeats.add(key);
      }
      return undefined;
    },
    nextRound: () => {
      const from = left;
      if (from === undefined || !repeats?.hasAny()) return undefined;
      latest = new Map();
      bytes = 0;
      left = undefined;
      isFirst = false;
      return from;
    },
  };
}

interface Repeats {
  add(text: string): void;
  /** Whether the text was added more than once. Of 10,000,000 texts that were added once, it returns true for about 2 %. */
  has(text: string): boolean;
  hasAny(): boolean;
}

/** The size of each of two Bloom filters in bits (8 MB). */
const filterBits = 2 ** 26;
const bitsOfText = 3;

function findRepeats(): Repeats {
  const once = new Uint8Array(filterBits / 8);
  const again = new Uint8Array(filterBits / 8);
  let isAny = false;
  return {
    add: (text) => {
      const places = placesOf(text);
      if (!hasBits(once, places)) {
        setBits(once, places);
        return;
      }
      setBits(again, places);
      isAny = true;
    },
    has: (text) => hasBits(again, placesOf(text)),
    hasAny: () => isAny,
  };
}

function placesOf(text: string): readonly number[] {
  let one = 0x811c9dc5;
  let other = 0x9747b28c;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b);
    other ^= other >>> 15;
  }
  one ^= one >>> 15;
  const places: number[] = [];
  for (let n = 0; n < bitsOfText; n += 1) places.push((one + Math.imul(n, other | 1)) & (filterBits - 1));
  return places;
}

function hasBits(bits: Uint8Array, places: readonly number[]): boolean {
  return places.every((place) => ((bits[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0);
}

function setBits(bits: Uint8Array, places: readonly number[]): void {
  for (const place of places) bits[place >>> 3] = (bits[place >>> 3] ?? 0) | (1 << (place & 7));
}
