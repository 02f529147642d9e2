/** Finds the route by which a request comes closest to a row that it does not get from a stream. */
import type { StreamPlan } from '../plan.ts';
import type { RouteTrace } from './traceRequest.ts';
import type { RuleTrace } from './traceRow.ts';

export interface Way {
  readonly trace: RouteTrace;
  readonly route: StreamPlan['routes'][number];
}

/** Returns the routes by which a client may get buckets of this query, starting with the one that succeeded furthest. */
export function waysTo(
  plan: StreamPlan,
  { source }: Pick<RuleTrace, 'source'>,
  routes: readonly RouteTrace[],
): readonly Way[] {
  const ofStream = routes.filter(({ reason }) => reason.stream === plan.name);
  const places = new Map<RouteTrace['reason'], number>();
  return ofStream
    .flatMap((trace) => {
      // Traces contain, for each reason, all routes of the stream in order.
      const index = places.get(trace.reason) ?? 0;
      places.set(trace.reason, index + 1);
      const route = plan.routes[index];
      return route === undefined || route.source !== source ? [] : [{ trace, route }];
    })
    .sort((a, b) => distance.indexOf(a.trace.outcome) - distance.indexOf(b.trace.outcome));
}

/** The outcomes of a route, furthest first. */
const distance: readonly RouteTrace['outcome'][] = [
  'given',
  'nothing found',
  'no common value',
  'no key',
  'filtered',
  'failed',
];
