import type { Metrics } from '../ground/metrics.ts';
import type { World } from '../ground/world.ts';
import type { Route } from './route.ts';

/** The minimum interval between measurements in milliseconds, because measuring sizes takes a query. */
const measureInterval = 60_000;

/** @param measure updates gauges that are not updated elsewhere. If it fails, they stay outdated. */
export function metricsRoute(
  metrics: Metrics,
  measure: () => Promise<void>,
  world: Pick<World, 'clock' | 'log'>,
): Route {
  let measuredAt = Number.NEGATIVE_INFINITY;
  return {
    method: 'GET',
    path: '/metrics',
    access: 'local',
    group: 'probe',
    body: 'none',
    answer: async ({ response, head }) => {
      if (world.clock.steady() - measuredAt >= measureInterval) {
        measuredAt = world.clock.steady();
        await measure().catch((error: Error) => {
          world.log.write('warn', `Metrics could not be measured: ${error.message}`);
        });
      }
      response
        .writeHead(200, { ...head, 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
        .end(metrics.text());
      return { written: true };
    },
  };
}
