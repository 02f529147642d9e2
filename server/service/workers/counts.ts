/** Counts of a worker for the metrics of the service. The worker counts, and the primary adds up. */
import type { Metrics } from '../ground/metrics.ts';
import { startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';
import type { ConnectedClient } from '../sync/clients.ts';

type CounterName = Parameters<Metrics['add']>[0];

/** The increases since the last report. */
export type Counts = Partial<Record<CounterName, number>>;

/** The number of connected clients of each transport, because each transport has its own limit. */
export type ClientCounts = Readonly<Record<ConnectedClient['transport'], number>>;

export const noClients: ClientCounts = { http: 0, websocket: 0 };

function countClients(clients: readonly ConnectedClient[]): ClientCounts {
  const http = clients.filter(({ transport }) => transport === 'http').length;
  return { http, websocket: clients.length - http };
}

/** The interval in milliseconds within which all changes are reported together. */
const clientPause = 20;

/** Returns the listener to call when clients connect or disconnect. */
export function watchClients(
  clients: () => readonly ConnectedClient[],
  tell: (counts: ClientCounts) => void,
  clock: Pick<Clock, 'sleep'>,
): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    startAlone('Counting clients', async () => {
      await clock.sleep(clientPause);
      isWaiting = false;
      tell(countClients(clients()));
    });
  };
}

interface CountBook {
  readonly add: Metrics['add'];
  /** Reports everything that has not been reported yet. */
  readonly flush: () => void;
}

/** Milliseconds between two reports. */
const pause = 100;

export function openCounts(tell: (counts: Counts) => void, clock: Pick<Clock, 'sleep'>): CountBook {
  let counts: Counts | undefined;
  const flush = (): void => {
    if (counts === undefined) return;
    tell(counts);
    counts = undefined;
  };
  return {
    add: (name, amount) => {
      if (counts === undefined)
        startAlone('Reporting numbers', async () => {
          await clock.sleep(pause);
          flush();
        });
      counts ??= {};
      counts[name] = (counts[name] ?? 0) + amount;
    },
    flush,
  };
}
