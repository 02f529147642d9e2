/** The table of all requests that the service answers. */
import { adminRoutes } from '../api/adminRoutes.ts';
import type { ApiParts } from '../api/parts.ts';
import { syncConfigRoutes } from '../api/syncConfigRoutes.ts';
import { type ConsoleParts, consoleRoutes } from '../console/console.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Metrics } from '../ground/metrics.ts';
import type { World } from '../ground/world.ts';
import { metricsRoute } from '../http/metricsRoute.ts';
import { type Probes, probeRoutes } from '../http/probes.ts';
import type { Route } from '../http/route.ts';
import { SourceFailure } from '../replication/source.ts';
import type { Sync } from '../sync/sync.ts';
import type { Watching } from '../watching/watching.ts';

export interface RouteSources {
  readonly api: ApiParts;
  /** Absent if workers serve clients. */
  readonly sync: Sync | undefined;
  readonly watching: Pick<Watching, 'routes'>;
  readonly probes: Probes;
  readonly metrics: Metrics;
  /** Updates the gauges. */
  readonly measure: () => Promise<void>;
  readonly replicates: boolean;
  /** Absent without a console. */
  readonly console?: ConsoleParts;
  readonly world: World;
}

/** Returns the routes of a process that serves clients. */
export function routesOf(parts: RouteSources): readonly Route[] {
  const console = parts.console === undefined ? [] : consoleRoutes(parts.console);
  return [
    ...metricsOf(parts),
    ...(parts.sync?.routes ?? []),
    ...apiRoutes(parts.api),
    ...parts.watching.routes,
    ...console,
  ];
}

/** Returns the probe routes of a process that reports its health over HTTP. */
export function probesOf({ probes, replicates, world, api }: RouteSources): readonly Route[] {
  const isStandby = (): boolean => {
    const jobs = api.jobs().filter(({ work }) => work === 'replicate');
    return jobs.length > 0 && jobs.every(({ standby }) => standby);
  };
  return probeRoutes(probes, replicates, world.clock, isStandby);
}

export function metricsOf({ metrics, measure, world }: RouteSources): readonly Route[] {
  return [metricsRoute(metrics, measure, world)];
}

/** Returns the routes for admins. Unlike clients, admins see why the source fails. */
export function apiRoutes(parts: ApiParts): readonly Route[] {
  return [...syncConfigRoutes(parts), ...adminRoutes(parts)].map((route) => ({
    ...route,
    answer: (call) => route.answer(call).catch(explainSource),
  }));
}

function explainSource(error: unknown): never {
  throw error instanceof SourceFailure ? new ServiceError(error.code, error.message) : error;
}
