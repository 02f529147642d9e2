/** How many values are under the keys of lookups, as they are counted. */
import { type Json, writeJson } from '../plan/values/json.ts';

export interface LookupSizes {
  /** Of any key. */
  readonly most: (lookup: string) => number;
  readonly of: (lookup: string, values: readonly Json[]) => number;
  /** Keys of the lookup that have the most values, as JSON texts; `count` is that of all. */
  readonly keys: (lookup: string) => {
    readonly texts: Iterable<string>;
    readonly kept: number;
    readonly count: number;
  };
}

interface GrowingSizes extends LookupSizes {
  /**
   * Once for each key.
   *
   * @param key as lookups are stored: the name of the lookup, and a JSON text
   */
  readonly add: (key: string, values: number) => void;
}

/** So many keys of a lookup are kept apart; of the rest is known that none has more values than any of these. */
const mostKeys = 100_000;

/** @param isTelling whether the keys of a lookup are needed one by one */
export function countLookups(isTelling: (lookup: string) => boolean): GrowingSizes {
  const lookups = new Map<string, SizesOfLookup>();
  const find = (name: string): SizesOfLookup => {
    const known = lookups.get(name) ?? { most: 0, count: 0, rest: 0, byKey: new Map() };
    lookups.set(name, known);
    return known;
  };
  return {
    add(key, values) {
      const end = key.indexOf('[');
      const name = key.slice(0, end);
      const sizes = find(name);
      sizes.most = Math.max(sizes.most, values);
      if (!isTelling(name)) return;
      const text = key.slice(end);
      sizes.count += 1;
      sizes.byKey.set(text, values);
      if (sizes.byKey.size > 2 * mostKeys) forgetSmall(sizes);
    },
    most: (lookup) => lookups.get(lookup)?.most ?? 0,
    of: (lookup, values) => {
      const sizes = lookups.get(lookup);
      return sizes === undefined ? 0 : (sizes.byKey.get(writeJson([...values])) ?? sizes.rest);
    },
    keys: (lookup) => {
      const sizes = lookups.get(lookup);
      const { byKey, count } = sizes ?? { byKey: new Map<string, number>(), count: 0 };
      return { texts: byKey.keys(), kept: byKey.size, count };
    },
  };
}

interface SizesOfLookup {
  most: number;
  count: number;
  /** The most that a forgotten key has. */
  rest: number;
  byKey: Map<string, number>;
}

function forgetSmall(sizes: SizesOfLookup): void {
  const sorted = [...sizes.byKey].sort(([, a], [, b]) => b - a);
  sizes.rest = Math.max(sizes.rest, sorted[mostKeys]?.[1] ?? 0);
  sizes.byKey = new Map(sorted.slice(0, mostKeys));
}
