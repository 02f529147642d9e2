/** What keeps the process alive, whatever comes over its connections and whatever fails inside. */
import type { Metrics } from '../ground/metrics.ts';
import { noteFailures, repeat } from '../ground/unattended.ts';
import type { World } from '../ground/world.ts';
import { type Connections, openConnections } from '../http/connections.ts';
import type { OpenParts } from './closeInOrder.ts';

/** Milliseconds. */
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
  const connections = openConnections({ onClosing: (closing) => add(counters[closing], 1) });
  const over = new AbortController();
  const rhythm = { every: lookedAtEvery, clock, signal: over.signal };
  const looking = repeat('Looking at the connections', rhythm, connections.look);
  opened.add('the watch over connections', async () => {
    over.abort();
    await looking;
    stopNoting();
  });
  return connections;
}
