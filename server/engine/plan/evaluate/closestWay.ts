/** Of all that a request may get of a stream, what is compared with a row that it does not get. */
import type { StreamPlan } from '../plan.ts';
import type { RouteTrace } from './traceRequest.ts';
import type { RuleTrace } from './traceRow.ts';

export interface Way {
  readonly trace: RouteTrace;
  readonly route: StreamPlan['routes'][number];
}

/** Of the routes by which a client gets buckets of this query, the one that succeeded furthest. */
export function closestWay(
  plan: StreamPlan,
  { source }: Pick<RuleTrace, 'source'>,
  routes: readonly RouteTrace[],
): Way | undefined {
  const ofStream = routes.filter(({ reason }) => reason.stream === plan.name);
  const places = new Map<RouteTrace['reason'], number>();
  return ofStream
    .flatMap((trace) => {
      // For each reason, all routes of the stream in their order.
      const index = places.get(trace.reason) ?? 0;
      places.set(trace.reason, index + 1);
      const route = plan.routes[index];
      return route === undefined || route.source !== source ? [] : [{ trace, route }];
    })
    .sort((a, b) => distance.indexOf(a.trace.outcome) - distance.indexOf(b.trace.outcome))[0];
}

/** How far a request came, the furthest first. */
const distance: readonly RouteTrace['outcome'][] = [
  'given',
  'nothing found',
  'no common value',
  'no key',
  'filtered',
  'failed',
];
