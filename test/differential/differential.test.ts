import { expect, test } from 'vitest';
import { casesOf } from '../support/house/share.ts';
import { compareCases } from './differential.ts';

const cases = Number(process.env.HEADWATER_FUZZ_CASES ?? casesOf(1_500));
const seed = Number(process.env.HEADWATER_FUZZ_SEED ?? 20_000_000);

test(`${cases} random configs from seed ${seed} are valid or not as for the reference`, {
  timeout: 60_000,
}, () => {
  const { unexplained, valid } = compareCases(cases, seed);
  expect(unexplained.join('\n\n')).toBe('');
  expect(valid / cases).toBeGreaterThan(0.3);
});
