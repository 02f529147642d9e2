/** Keeps the process alive when connections use too much, when memory or handles run out, and when a background task fails. */
import type { Metrics } from '../ground/metrics.ts';
import { noteFailures, repeat, runUntilStopped } from '../ground/unattended.ts';
import type { World } from '../ground/world.ts';
import { type Connections, openConnections } from '../http/connections.ts';
import type { OpenParts } from './closeInOrder.ts';
import { watchOverload } from './overload.ts';
import { placesFor, readHandleLimit, readMemoryUse } from './resources.ts';

/** The interval between checks, in milliseconds. */
const lookedAtEvery = 1_000;

const counters = {
  'over budget': 'headwater_connections_over_budget_total',
  displaced: 'headwater_connections_displaced_total',
} as const;

export function openGuard(
  { add }: Pick<Metrics, 'add'>,
  { clock, log }: Pick<World, 'clock' | 'log'>,
  opened: OpenParts,
): Connections {
  const stopNoting = noteFailures(log, () => add('headwater_unattended_failures_total', 1));
  const connections = openConnections({
    ...placesFor(readHandleLimit()),
    onClosing: (closing) => add(counters[closing], 1),
  });
  const watches = {
    'Looking at the connections': connections.look,
    'Watching the memory': watchOverload(connections, readMemoryUse, log),
  };
  opened.add('the log of failures', async () => stopNoting());
  for (const [what, step] of Object.entries(watches)) {
    const watch = (signal: AbortSignal) => repeat(what, { every: lookedAtEvery, clock, signal }, step);
    opened.add(what, runUntilStopped(what, watch, clock));
  }
  return connections;
}
