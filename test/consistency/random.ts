/** Pseudo-random values. The same seed always produces the same sequence. */
export interface Random {
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  id(): string;
  text(length: number): string;
}

/** Creates a mulberry32 generator. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const letters = 'abcdefghijklmnopqrstuvwxyz äß€"\\\n😀'.split(/(?:)/u);
  return {
    below,
    pick: (choices) => choices[below(choices.length)] as (typeof choices)[number],
    id: () => `${below(2 ** 31).toString(36)}${below(2 ** 31).toString(36)}`,
    text: (length) => Array.from({ length }, () => letters[below(letters.length)]).join(''),
  };
}
