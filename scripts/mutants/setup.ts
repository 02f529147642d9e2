/** Starts recording before each test file which mutants it executes, and stores them in its metadata at the end. */
import { afterAll } from 'vitest';
import type {} from './protocol.ts';

const byTests = new Set<number>();
const byModules = new Set<number>();
let depth = 0;

globalThis.headwaterRecorder = {
  hit: (mutant) => (depth > 0 ? byModules : byTests).add(mutant),
  evaluate: (step) => {
    depth += step;
  },
};

// biome-ignore lint/correctness/noEmptyPattern: Vitest uses the pattern to find out which fixtures are needed.
afterAll(({}, file) => {
  file.meta.executed = { byTests: [...byTests], byModules: [...byModules] };
});
