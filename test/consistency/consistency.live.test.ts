/** A short run; `npm run consistency` is the long one. */
import { describe, expect, test } from 'vitest';
import { postgresPrograms } from '../support/processes/postgres.ts';
import { runConsistency } from './run.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('clients', () => {
  test.each(['postgresql', 'embedded'] as const)(
    'of a service over %s show only states that were committed, whatever fails',
    async (source) => {
      const report = await runConsistency({
        source,
        lasts: { faults: 8, kinds: 3, kills: 1 },
        states: 50,
        seed: 1,
        faultEvery: 1500,
      });
      expect(report.violations).toEqual([]);
      expect(report.transactions).toBeGreaterThan(20);
      expect(report.kills).toBeGreaterThan(0);
    },
  );

  test('of two processes, over a network that fails without a word, do so too', async () => {
    const report = await runConsistency({
      source: 'postgresql',
      storage: 'postgresql',
      only: /^standby|silent/,
      lasts: { faults: 4, kinds: 2, kills: 0 },
      states: 50,
      seed: 1,
      faultEvery: 2000,
    });
    expect(report.violations).toEqual([]);
    expect(report.transactions).toBeGreaterThan(20);
  });
});
