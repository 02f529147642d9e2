/** The numbers of values under the keys of lookups, as they are counted. */
import { type Json, writeJson } from '../plan/values/json.ts';

/** The size of one key. */
export interface KeySize {
  readonly values: number;
  /** The maximum number of different ones. */
  readonly distinct: number;
}

export interface LookupSizes {
  /** No key has more. */
  readonly most: (lookup: string) => KeySize;
  readonly of: (lookup: string, values: readonly Json[]) => KeySize;
  /** Keys of the lookup that have the most values, as JSON texts; `count` is that of all. */
  readonly keys: (lookup: string) => {
    readonly texts: Iterable<string>;
    readonly kept: number;
    readonly count: number;
  };
}

export interface GrowingSizes extends LookupSizes {
  /**
   * Once for each key.
   *
   * @param key as lookups are stored: the name of the lookup, and a JSON text
   */
  readonly add: (key: string, size: KeySize) => void;
}

const noSize: KeySize = { values: 0, distinct: 0 };

function largerSize(a: KeySize, b: KeySize): KeySize {
  return { values: Math.max(a.values, b.values), distinct: Math.max(a.distinct, b.distinct) };
}

/** So many keys of a lookup are kept apart; of the rest is known that none has more values than any of these. */
const mostKeys = 100_000;

/** @param isTelling whether the keys of a lookup are needed one by one */
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
  /** The most that a forgotten key has. */
  rest: KeySize;
  byKey: Map<string, KeySize>;
}

function forgetSmall(sizes: SizesOfLookup): void {
  const sorted = [...sizes.byKey].sort(([, a], [, b]) => b.values - a.values);
  for (const [, size] of sorted.slice(mostKeys)) sizes.rest = largerSize(sizes.rest, size);
  sizes.byKey = new Map(sorted.slice(0, mostKeys));
}
