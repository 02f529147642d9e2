/** Collects the lookups of a plan. Equal lookups become one. */
import type { Lookup } from './plan.ts';

export interface Lookups {
  readonly all: readonly Lookup[];
  /** Adds a lookup and returns its index. */
  readonly add: (lookup: Lookup) => number;
}

export function lookupTable(): Lookups {
  const all: Lookup[] = [];
  const indexes = new Map<string, number>();
  const add = (lookup: Lookup): number => {
    const index = indexes.get(lookup.identity) ?? all.push(lookup) - 1;
    indexes.set(lookup.identity, index);
    return index;
  };
  return { all, add };
}
