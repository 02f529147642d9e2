/**
 * Places of one table that are not in a tree yet. They are written in order, so that a page of a tree takes many of them at a
 * time.
 */
import { placesOf, tableOfPlace } from '../rowKeys.ts';

export interface WaitingPlaces {
  /** Adds a new place. Returns false if it cannot wait together with the others, which must then be taken first. */
  add(place: number, row: number): boolean;
  has(place: number): boolean;
  /**
   * Returns the next places in order, as a flat list: each place is followed by its row. An empty result means that no place is
   * waiting any more.
   */
  take(most: number): readonly number[];
  clear(): void;
}

/** Capacity. 131,072 entries and their slots take 3 MB. */
const room = 2 ** 17;
const slotBits = 18;
const few = 4_096;

export function gatherPlaces(): WaitingPlaces {
  /**
   * The distance of a place from the first one of the table, combined with the index of the row, because numbers can be sorted
   * quickly.
   */
  const keys = new Float64Array(room);
  const rows = new Float64Array(room);
  /** The index of a key plus one; 0 means none. If the slot of a key is taken, the key uses the next free slot. */
  const slots = new Uint32Array(2 ** slotBits);
  let table = -1;
  let origin = 0;
  let count = 0;
  let sorted: Float64Array | undefined;
  let taken = 0;
  const firstSlotOf = (offset: number): number => Math.imul(offset, 0x9e3779b1) >>> (32 - slotBits);
  /** Returns the slot of the place, or the free slot that it would use. */
  const slotOf = (offset: number): number => {
    for (let slot = firstSlotOf(offset); ; slot = (slot + 1) % slots.length) {
      const next = slots[slot] as number;
      if (next === 0 || offsetOf(keys[next - 1] as number) === offset) return slot;
    }
  };
  /** Clears the slots. If there are few places, clearing only their slots is faster than clearing all. */
  const clearSlots = () => {
    if (count > few) {
      slots.fill(0);
      return;
    }
    for (const key of keys.subarray(0, count)) {
      for (let slot = firstSlotOf(offsetOf(key)); slots[slot] !== 0; slot = (slot + 1) % slots.length)
        slots[slot] = 0;
    }
  };
  const clear = () => {
    clearSlots();
    count = 0;
    taken = 0;
    sorted = undefined;
    table = -1;
  };

  return {
    add: (place, row) => {
      if (table === -1) {
        table = tableOfPlace(place);
        [origin] = placesOf(table);
      }
      if (count === room || sorted !== undefined || tableOfPlace(place) !== table) return false;
      const offset = place - origin;
      keys[count] = offset * room + count;
      rows[count] = row;
      count += 1;
      slots[slotOf(offset)] = count;
      return true;
    },
    has: (place) => tableOfPlace(place) === table && slots[slotOf(place - origin)] !== 0,
    take: (most) => {
      sorted ??= keys.slice(0, count).sort();
      const next: number[] = [];
      for (const end = Math.min(taken + most, count); taken < end; taken += 1) {
        const key = sorted[taken] as number;
        next.push(origin + offsetOf(key), rows[key % room] as number);
      }
      if (next.length === 0) clear();
      return next;
    },
    clear,
  };
}

function offsetOf(key: number): number {
  return Math.floor(key / room);
}
