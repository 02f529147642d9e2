import { expect, test } from 'vitest';
import type { Forecast } from '../../../client/api/forecast.ts';
import { headwater } from '../../support/cli/cliWorld.ts';
import { forecastWith } from '../../support/cli/forecast.ts';

const amounts = { buckets: 3, results: 0, reference: 0 };

/** Returns the exit code of `headwater limits` for a service that allows each client this many buckets and results. */
async function codeOf(most: number): Promise<number> {
  const told = forecastWith([{ values: ['ada'], ...amounts }]);
  const groups = told.groups.map((group) => ({ ...group, buckets: { most: 3, p99: 3 } }));
  const forecast: Forecast = { ...told, groups, limits: { buckets: most, results: most } };
  const api = { forecast: async () => forecast };
  const { code } = await headwater(['limits', '--service', 'http://127.0.0.1:1'], { api });
  return code;
}

test('limits exits with 1 if a client is over a limit, and with 0 if no client is', async () => {
  expect([await codeOf(0), await codeOf(2), await codeOf(3), await codeOf(1_000_000_000)]).toEqual([
    1, 1, 0, 0,
  ]);
});
