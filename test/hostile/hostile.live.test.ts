/** Each attack for some seconds; `npm run hostile` is the long one, and also holds the service to its times. */
import { describe, expect, test } from 'vitest';
import { postgresPrograms } from '../support/processes/postgres.ts';
import { attackNames } from './attacks.ts';
import { complaintsIn, runHostile } from './run.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('those with a token are served beside', () => {
  test.each(attackNames)(
    '%s',
    async (name) => {
      const report = await runHostile(name, name === 'clients-that-do-not-read' ? 30 : 4);
      expect(complaintsIn(report)).toEqual([]);
      expect(report.attempts).toBeGreaterThan(0);
      expect(report.probes.count).toBeGreaterThan(0);
    },
    120_000,
  );
});
