import type { Metrics } from '../ground/metrics.ts';
import type { World } from '../ground/world.ts';
import type { Route } from './route.ts';

/** Sizes cost a query, so they are measured at most this often, in milliseconds. */
const measureInterval = 60_000;

/** @param measure brings gauges up to date that nobody else does; its failure only leaves them old. */
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
