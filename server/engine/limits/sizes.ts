/** Counts the values under the keys of lookups. */
import { type Json, writeJson } from '../plan/values/json.ts';

/** How many values one key has. */
export interface KeySize {
  readonly values: number;
  /** The maximum number of different values. */
  readonly distinct: number;
}

export interface LookupSizes {
  /** Returns the size of the largest key of a lookup. */
  readonly most: (lookup: string) => KeySize;
  readonly of: (lookup: string, values: readonly Json[]) => KeySize;
  /** Returns the keys under which a lookup has the most values, as JSON texts. `count` is the number of all its keys. */
  readonly keys: (lookup: string) => {
    readonly texts: Iterable<string>;
    readonly kept: number;
    readonly count: number;
  };
}

export interface GrowingSizes extends LookupSizes {
  /**
   * Adds a key. Called once for each key.
   *
   * @param key a key in the stored form: the name of the lookup, followed by a JSON text
   */
  readonly add: (key: string, size: KeySize) => void;
}

const noSize: KeySize = { values: 0, distinct: 0 };

function largerSize(a: KeySize, b: KeySize): KeySize {
  return { values: Math.max(a.values, b.values), distinct: Math.max(a.distinct, b.distinct) };
}

/** The number of largest keys to keep for each lookup. For all other keys, only their largest size is kept. */
const mostKeys = 100_000;

/** @param isTelling whether the individual keys of a lookup are needed */
export function countLookups(isTelling: (lookup: string) => boolean): GrowingSizes {
  const lookups = new Map<string, SizesOfLookup>();
  const find = (name: string): SizesOfLookup => {
    const known = lookups.get(name) ?? { most: noSize, count: 0, rest: noSize, byKey: new Map() };
    lookups.set(name, known);
    return known;
  };
  return {
    add(key, size) {
      const end = key.indexOf('[');
      const name = key.slice(0, end);
      const sizes = find(name);
      sizes.most = largerSize(sizes.most, size);
      if (!isTelling(name)) return;
      const text = key.slice(end);
      sizes.count += 1;
      sizes.byKey.set(text, size);
      if (sizes.byKey.size > 2 * mostKeys) forgetSmall(sizes);
    },
    most: (lookup) => lookups.get(lookup)?.most ?? noSize,
    of: (lookup, values) => {
      const sizes = lookups.get(lookup);
      return sizes === undefined ? noSize : (sizes.byKey.get(writeJson([...values])) ?? sizes.rest);
    },
    keys: (lookup) => {
      const sizes = lookups.get(lookup);
      const { byKey, count } = sizes ?? { byKey: new Map<string, KeySize>(), count: 0 };
      return { texts: byKey.keys(), kept: byKey.size, count };
    },
  };
}

interface SizesOfLookup {
  most: KeySize;
  count: number;
  /** The largest size among the keys that were dropped. */
  rest: KeySize;
  byKey: Map<string, KeySize>;
}

function forgetSmall(sizes: SizesOfLookup): void {
  const sorted = [...sizes.byKey].sort(([, a], [, b]) => b.values - a.values);
  for (const [, size] of sorted.slice(mostKeys)) sizes.rest = largerSize(sizes.rest, size);
  sizes.byKey = new Map(sorted.slice(0, mostKeys));
}
