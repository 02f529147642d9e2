/** An index of the members to notify about each of very many keys. */
export interface Crowds<T> {
  add(key: string, one: T): void;
  delete(key: string, one: T): void;
  /** Returns the current members. */
  of(key: string): readonly T[];
  readonly keys: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys' | 'size'>;
}

/** Creates an index. Most keys have one member, and a set for each key would take more memory than the index itself. */
export function createCrowds<T extends object>(): Crowds<T> {
  const crowds = new Map<string, T | Set<T>>();
  return {
    add: (key, one) => {
      const others = crowds.get(key);
      if (others instanceof Set) others.add(one);
      else crowds.set(key, others === undefined || others === one ? one : new Set([others, one]));
    },
    delete: (key, one) => {
      const all = crowds.get(key);
      if (all === one || (all instanceof Set && all.delete(one) && all.size === 0)) crowds.delete(key);
    },
    of: (key) => {
      const all = crowds.get(key);
      return all instanceof Set ? [...all] : all === undefined ? [] : [all];
    },
    keys: crowds,
  };
}
