import type { SyncRequest } from '../../engine/plan/evaluate/requests.ts';
import type { StreamEntry } from './protocol.ts';

/** A connected client, for diagnostics. Values that cost something are computed when they are read. */
export interface ConnectedClient {
  readonly userId: string;
  readonly clientId: string | undefined;
  readonly transport: 'http' | 'websocket';
  readonly appMetadata: Readonly<Record<string, string>>;
  /** The payload of its token, as JSON text. */
  readonly claims: string;
  /** Parameters of the connection. */
  readonly connection: SyncRequest['connection'];
  /** The subscriptions that it asked for, in addition to the streams that it gets without asking. */
  readonly subscriptions: SyncRequest['subscriptions'];
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The last announced checkpoint, absent before the first, and its buckets. */
  readonly position: () => ClientPosition | undefined;
  /** Returns its share in the last announced checkpoint. */
  readonly share: () => ClientShare;
}

/** The amount of data that a client gets, and the streams that it should get but does not. */
interface ClientShare {
  readonly buckets: number;
  readonly failing: readonly StreamEntry[];
}

interface ClientPosition {
  readonly opId: number;
  readonly buckets: readonly string[];
  /** Whether all of it was sent. */
  readonly complete: boolean;
}

export interface ConnectedClients {
  readonly size: number;
  /** Longest connected first. */
  all(): readonly ConnectedClient[];
  add(client: ConnectedClient): void;
  delete(client: ConnectedClient): void;
}

/** @param onSize is called with the number of clients whenever it changes */
export function openClients(onSize: (size: number) => void): ConnectedClients {
  const clients = new Set<ConnectedClient>();
  return {
    get size() {
      return clients.size;
    },
    all: () => [...clients],
    add: (client) => onSize(clients.add(client).size),
    delete: (client) => {
      if (clients.delete(client)) onSize(clients.size);
    },
  };
}

/**
 * Milliseconds to wait after a checkpoint, so that a burst of them becomes one. The more clients there are, the more
 * a checkpoint costs; for a few it is not worth a delay.
 */
export function pauseFor(clients: number): number {
  return Math.min(10, Math.floor(clients / 10));
}
