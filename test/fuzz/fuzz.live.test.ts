/** Sends the stored inputs, and new ones for some seconds, to a real service on a real PostgreSQL. */
import { describe, expect, test } from 'vitest';
import { postgresPrograms } from '../support/processes/postgres.ts';
import { fuzz } from './fuzz.ts';
import { explainFailure } from './main.ts';
import { targets } from './targets.ts';

/** Seconds for each target. `npm run fuzz` uses 60. */
const seconds = Number(process.env.HEADWATER_FUZZ_SECONDS ?? 10);

describe.skipIf(postgresPrograms.kind === 'missing')('after random input over', () => {
  test.each(['http', 'rsocket'] as const)(
    '%s, the service has returned only its own errors and released all resources',
    async (name) => {
      const target = await targets[name]();
      try {
        const { cases, failures } = await fuzz(target, { lasts: { seconds }, seed: 1 });
        expect(failures.map((failure) => explainFailure(name, failure))).toEqual([]);
        expect(cases).toBeGreaterThan(target.seeds.length);
      } finally {
        await target.close?.();
      }
    },
    (seconds + 60) * 1_000,
  );
});
