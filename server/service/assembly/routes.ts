/** The table of all that the service answers. */
import type { ApiParts } from '../api/parts.ts';
import { apiRoutes } from '../api/routes.ts';
import type { Metrics } from '../ground/metrics.ts';
import type { World } from '../ground/world.ts';
import { metricsRoute } from '../http/metricsRoute.ts';
import { type Probes, probeRoutes } from '../http/probes.ts';
import type { Route } from '../http/route.ts';
import type { Sync } from '../sync/sync.ts';

export interface RouteParts {
  readonly api: ApiParts;
  readonly sync: Sync;
  readonly probes: Probes;
  readonly metrics: Metrics;
  /** Brings gauges up to date. */
  readonly measure: () => Promise<void>;
  readonly replicates: boolean;
  readonly world: World;
}

/** Of a process that serves. */
export function routesOf(parts: RouteParts): readonly Route[] {
  return [...metricsOf(parts), ...parts.sync.routes, ...apiRoutes(parts.api)];
}

/** Of every process whose probes are to be asked over HTTP. */
export function probesOf({ probes, replicates, world, api }: RouteParts): readonly Route[] {
  const isStandby = (): boolean => {
    const jobs = api.jobs().filter(({ work }) => work === 'replicate');
    return jobs.length > 0 && jobs.every(({ standby }) => standby);
  };
  return probeRoutes(probes, replicates, world.clock, isStandby);
}

export function metricsOf({ metrics, measure, world }: RouteParts): readonly Route[] {
  return [metricsRoute(metrics, measure, world)];
}
