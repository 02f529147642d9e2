import { expect, test } from 'vitest';
import { casesOf } from '../support/house/share.ts';
import { compareMembership } from './membership.ts';

const cases = Number(process.env.HEADWATER_MEMBERSHIP_CASES ?? casesOf(60));
const seed = Number(process.env.HEADWATER_MEMBERSHIP_SEED ?? 1_000);

test(`${cases} random configs from seed ${seed} give the same rows as the reference and SQLite`, {}, async () => {
  const { differences, evaluations, given } = await compareMembership(cases, seed);
  expect(differences.join('\n\n')).toBe('');
  expect(given / evaluations).toBeGreaterThan(0.05);
});
