/** Sends the stored inputs, and new ones, to a real service on a real PostgreSQL. */
import { describe, expect, test } from 'vitest';
import { patient } from '../../scripts/run/patience.ts';
import { postgresPrograms } from '../support/processes/postgres.ts';
import { fuzz } from './fuzz.ts';
import { explainFailure } from './main.ts';
import { targets } from './targets.ts';

/** Seconds for each target instead of a number of inputs. `npm run fuzz` uses 60. */
const seconds = Number(process.env.HEADWATER_FUZZ_SECONDS ?? 0);
/** The number of new inputs. */
const inputs = 1_000;

describe.skipIf(postgresPrograms.kind === 'missing')('after random input over', () => {
  test.each(['http', 'rsocket'] as const)(
    '%s, the service has returned only its own errors and released all resources',
    async (name) => {
      const target = await targets[name]();
      try {
        const { cases, failures } = await fuzz(target, {
          lasts: seconds > 0 ? { seconds } : { cases: inputs },
          seed: 1,
        });
        expect(failures.map((failure) => explainFailure(name, failure))).toEqual([]);
        expect(cases).toBeGreaterThan(target.seeds.length);
      } finally {
        await target.close?.();
      }
    },
    seconds * 1_000 + patient(400_000),
  );
});
