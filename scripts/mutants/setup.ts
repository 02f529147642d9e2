/** Before each test file: begins to record which mutants it executes, and leaves them in its metadata at its end. */
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

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed.
afterAll(({}, file) => {
  file.meta.executed = { byTests: [...byTests], byModules: [...byModules] };
});
