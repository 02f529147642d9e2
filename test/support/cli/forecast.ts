/** A forecast of a service: how many buckets and results its clients get. */
import type { Amounts, Forecast } from '../../../client/api/forecast.ts';

type Client = Amounts & { readonly values: readonly unknown[] };

const nobody = { most: 0, p99: 0 };
const nothing = { buckets: 0, results: 0, reference: 0, streams: [] };

/** @param by the expressions in which clients differ; empty if all clients are alike */
export function forecastWith(most: readonly Client[], by: readonly string[] = ['auth.user_id()']): Forecast {
  const group = { by, clients: most.length, buckets: nobody, results: nobody, reference: nobody };
  return {
    limits: { buckets: 1_000, results: 1_000 },
    groups: [{ ...group, streams: [], others: nothing, most }],
    streams: [],
  };
}
