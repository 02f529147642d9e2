/** `HEADWATER_PAIRS=2000 HEADWATER_SEED=7` tries more, and others. See `chains.ts`. */
import { expect, test } from 'vitest';
import { casesOf } from '../../support/house/share.ts';
import { openMemory, tryChains } from './chains.ts';

// Fewer would not be of every kind.
const pairs = Number(process.env.HEADWATER_PAIRS ?? Math.max(12, casesOf(36)));
const firstSeed = Number(process.env.HEADWATER_SEED ?? 1);

test(`${pairs} random chains of configs`, async () => {
  const kinds = await tryChains({ pairs, firstSeed }, openMemory);
  // All must be tried, or the test shows nothing.
  for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(pairs / 10);
});
