/** Searches spaces of databases in turns until a match is found, no database is left, or the time is up. */
import type { CandidateSpace, SearchCandidate } from './candidates.ts';
import type { Sketch } from './sketches.ts';

export interface SearchLimits {
  readonly isTimeUp: () => boolean;
}

/** Work that may take seconds. The caller decides what happens between two turns. */
export type InTurns<T> = Generator<void, T, void>;

/** Runs all turns without a pause. */
export function finish<T>(work: InTurns<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

interface SearchResult<T> {
  readonly found?: T;
  readonly tried: number;
  /** Whether every database was tried. */
  readonly isExhausted: boolean;
}

/** The maximum size of a space that is searched in order. The search would never reach the end of a larger one. */
const largestInOrder = 300_000;

/** The number of databases that are tried between two checks of the clock. */
const turn = 64;

export function* searchSpaces<T>(
  spaces: readonly CandidateSpace[],
  judge: (candidate: SearchCandidate, sketch: Sketch) => T | undefined,
  { isTimeUp }: SearchLimits,
): InTurns<SearchResult<T>> {
  const sized = spaces
    .map((space) => ({ space, size: space.sizeUpTo(largestInOrder) }))
    .sort((a, b) => a.space.sketch.rows.length - b.space.sketch.rows.length || a.size - b.size);
  let tried = 0;
  const attempt = (candidate: SearchCandidate | undefined, { sketch }: CandidateSpace): T | undefined => {
    if (candidate === undefined) return undefined;
    tried += 1;
    return judge(candidate, sketch);
  };
  for (const { space, size } of sized) {
    if (size > largestInOrder) continue;
    let index = 0;
    for (const candidate of space.inOrder()) {
      if (index++ % turn === 0) {
        if (isTimeUp()) return { tried, isExhausted: false };
        yield;
      }
      const found = attempt(candidate, space);
      if (found !== undefined) return { found, tried, isExhausted: false };
    }
  }
  const large = sized.filter(({ size }) => size > largestInOrder).map(({ space }) => space);
  if (large.length === 0) return { tried, isExhausted: true };
  const next = numbersFrom(1);
  while (!isTimeUp()) {
    yield;
    for (let count = 0; count < turn; count++) {
      const space = large[count % large.length];
      const found = space && attempt(space.atRandom(next), space);
      if (found !== undefined) return { found, tried, isExhausted: false };
    }
  }
  return { tried, isExhausted: false };
}

/**
 * Returns a generator of numbers from 0 to 1 that are the same each time, so that a search can be repeated. After Tommy Ettinger's
 * Mulberry32.
 */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
