/** Numbers of a worker, for the metrics of the service: counted there, and added up in the primary. */
import type { Metrics } from '../ground/metrics.ts';
import { startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';
import type { ConnectedClient } from '../sync/clients.ts';

type CounterName = Parameters<Metrics['add']>[0];

/** The increases since the last report. */
export type Counts = Partial<Record<CounterName, number>>;

/** Connected clients, each kind of which has a limit of its own. */
export type ClientCounts = Readonly<Record<ConnectedClient['transport'], number>>;

export const noClients: ClientCounts = { http: 0, websocket: 0 };

function countClients(clients: readonly ConnectedClient[]): ClientCounts {
  const http = clients.filter(({ transport }) => transport === 'http').length;
  return { http, websocket: clients.length - http };
}

/** Milliseconds: those who come and go within it are counted once. */
const clientPause = 20;

/** Returns the listener for clients that come and go. */
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
