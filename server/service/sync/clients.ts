import type { SyncRequest } from '../../engine/plan/evaluate/requests.ts';
import type { StreamEntry } from './protocol.ts';

/** A connected client, for diagnostics. Values that are expensive to compute are computed when they are read. */
export interface ConnectedClient {
  readonly userId: string;
  readonly clientId: string | undefined;
  readonly transport: 'http' | 'websocket';
  readonly appMetadata: Readonly<Record<string, string>>;
  /** The payload of the client's token, as JSON. */
  readonly claims: string;
  /** The parameters of the connection. */
  readonly connection: SyncRequest['connection'];
  /** The subscriptions that the client asked for, in addition to the default streams. */
  readonly subscriptions: SyncRequest['subscriptions'];
  /** The time in milliseconds since 1970. */
  readonly since: number;
  /** Returns the last announced checkpoint and its buckets, or undefined before the first one. */
  readonly position: () => ClientPosition | undefined;
  /** Returns the share of the client in the last announced checkpoint. */
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
  /** Whether all operations of the checkpoint were sent. */
  readonly complete: boolean;
}

export interface ConnectedClients {
  readonly size: number;
  /** Returns the clients, those that have been connected longest first. */
  all(): readonly ConnectedClient[];
  add(client: ConnectedClient): void;
  delete(client: ConnectedClient): void;
}

/** @param onSize called with the number of clients when it changes */
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
 * Returns the pause after a checkpoint in milliseconds, so that a burst of checkpoints becomes one. A checkpoint costs more if
 * there are more clients; for a few clients, a pause is not worth the delay.
 */
export function pauseFor(clients: number): number {
  return Math.min(10, Math.floor(clients / 10));
}
