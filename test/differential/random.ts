/** Random choices from a seed: equal seeds give equal cases, on every machine. */
export interface Random {
  /** Returns an integer from 0 to `below` - 1. */
  readonly int: (below: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  /** Picks an option by weight, and makes only that one. */
  readonly choose: <T>(options: readonly (readonly [weight: number, make: () => T])[]) => T;
  readonly times: <T>(least: number, most: number, make: () => T) => T[];
}

export function randomFrom(seed: number): Random {
  const next = mulberry32(seed);
  const int = (below: number): number => Math.floor(next() * below);
  const chance = (probability: number): boolean => next() < probability;
  const pick = <T>(items: readonly T[]): T => items[int(items.length)] as T;
  const choose = <T>(options: readonly (readonly [number, () => T])[]): T => {
    let rest = next() * options.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, make] of options) {
      rest -= weight;
      if (rest < 0) return make();
    }
    return (options.at(-1) as readonly [number, () => T])[1]();
  };
  const times = <T>(least: number, most: number, make: () => T): T[] =>
    Array.from({ length: least + int(most - least + 1) }, make);
  return { int, chance, pick, choose, times };
}

/** Numbers in [0, 1) with 32 bits of state, by Tommy Ettinger; good enough to choose test cases. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
