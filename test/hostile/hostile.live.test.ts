/** Each attack for some seconds; `npm run hostile` is the long one, and also holds the service to its times. */
import { describe, expect, test } from 'vitest';
import { postgresPrograms } from '../support/processes/postgres.ts';
import { type AttackName, attackNames } from './attacks.ts';
import { complaintsIn, runHostile } from './run.ts';

/** Some attacks take longer to begin, or to show what they do. */
const seconds: Partial<Record<AttackName, number>> = {
  'clients-that-do-not-read': 30,
  'a-byte-a-second-among-many': 12,
};

describe.skipIf(postgresPrograms.kind === 'missing')('those with a token are served beside', () => {
  test.each(attackNames)(
    '%s',
    async (name) => {
      const report = await runHostile(name, seconds[name] ?? 4, 300);
      expect(complaintsIn(report)).toEqual([]);
      expect(report.attempts).toBeGreaterThan(0);
      expect(report.probes.count).toBeGreaterThan(0);
    },
    120_000,
  );
});
