/** A short run of the consistency check. `npm run consistency` is the long one. */
import { describe, expect, test } from 'vitest';
import { postgresPrograms } from '../support/processes/postgres.ts';
import { runConsistency } from './run.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('clients', () => {
  test.each(['postgresql', 'embedded'] as const)(
    'of a service with a source of type %s show only committed states, whatever fails',
    async (source) => {
      const report = await runConsistency({
        source,
        lasts: { faults: 5, kinds: 3, kills: 1 },
        states: 50,
        seed: 1,
        faultEvery: 1500,
      });
      expect(report.violations).toEqual([]);
      expect(report.transactions).toBeGreaterThan(20);
      expect(report.kills).toBeGreaterThan(0);
    },
  );

  test('of two processes show only committed states, even over a network that fails silently', async () => {
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
