/**
 * Limits the cost of the connections of a process. A connection is a guest until it has sent a valid token.
 *
 * 1. A connection has at most `requests` unanswered requests. The headers of those that wait for another one have at most
 *    `waitingHeaders` bytes together.
 * 2. A body arrives in few pieces: see `isWithinPieceBudget`.
 * 3. A client reads every answer within `unreadSeconds`, except for streams, which end with their token.
 * 4. A connection that breaks one of these rules is closed immediately, without an answer, and counted. A connection that another
 *    one displaces is closed soon.
 * 5. Guests have separate places and separate memory. If all places are taken, a new guest displaces the oldest guest of the
 *    address with the most guests. If guests need too much memory, those that need the most are closed.
 * 6. Connections with a token but without a request also have separate places. They displace each other, beginning with the
 *    holder who has the most. A connection with both a token and a request is never displaced.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { openSlices } from '../ground/slices.ts';
import { ClientConnection, type ConnectionSocket } from './clientConnection.ts';
import { GuestMemory } from './guestMemory.ts';
import { createLobby } from './lobby.ts';
import { hasBody, isWithinPieceBudget, limitPieces } from './pieces.ts';
import type { User } from './route.ts';

/** The name of the holder of a valid token: an admin, or a user. */
export const admin = 'admin';
export const holderOf = ({ id }: Pick<User, 'id'>): string => `user ${id}`;

export const budget = {
  requests: 32,
  waitingHeaders: 64 * 1024,
  unreadSeconds: 30,
} as const;

/** The reason for closing. `over budget`: rule 4, or the memory of rule 5. `displaced`: others needed the place. */
export type Closing = 'over budget' | 'displaced';

/** The kind of connections to close. `unread`: streams whose client has not read anything for some seconds. */
export type Shedding = 'guests' | 'idle' | 'unread';

interface ConnectionOptions {
  /** The places for guests. Each guest costs some kilobytes and a file handle. */
  readonly guestPlaces?: number;
  readonly idlePlaces?: number;
  readonly onClosing?: (closing: Closing) => void;
}

export interface Connections {
  /** Adds a socket that was just accepted. */
  readonly add: (socket: Duplex) => void;
  /** Counts a request. Returns false if its connection is closed. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Marks the socket as a stream, whose answer may last as long as the connection. */
  readonly beginStream: (socket: Duplex) => void;
  /** Reports that the socket has sent a valid token. */
  readonly admit: (socket: Duplex, holder: string) => void;
  /** Closes the connection because it is over a limit that is enforced elsewhere. */
  readonly refuse: (socket: Duplex) => void;
  readonly guests: number;
  /** The number of guests that may wait for an answer without being displaced by a few more guests. */
  readonly mostWaiting: number;
  /** Enforces the rules that depend on time. Called once a second. */
  readonly look: () => void;
  /** Closes all connections of a kind, except for guests that came after the last check. Returns their number. */
  readonly shed: (kind: Shedding) => number;
}

/** The memory for a waiting request and for a piece of a body, in bytes: measured, and rounded up. */
const requestCost = 4_096;
const pieceCost = 512;

/** The share of the guests' places that guests may fill while they wait. They are the newest, so others are displaced first. */
const waitingShare = 0.25;

/** A client that reads takes some bytes of a stream within this time. */
const shedUnreadSeconds = 5;

const immediately = (work: () => void): void => work();

export function openConnections({
  guestPlaces = 5_000,
  idlePlaces = 5_000,
  onClosing = () => {},
}: ConnectionOptions = {}): Connections {
  const bySocket = new WeakMap<Duplex, ClientConnection>();
  const all = new Set<ClientConnection>();
  const guests = createLobby(guestPlaces);
  const idle = createLobby(idlePlaces);
  const mostWaiting = Math.floor(guestPlaces * waitingShare);
  /** Closes displaced connections. New connections are accepted first, because one of them may be a probe. */
  const leaving = openSlices();
  const memory = new GuestMemory(all, (guest) => close(guest, 'over budget'));

  const close = (connection: ClientConnection, closing: Closing, when = immediately): void => {
    if (!all.has(connection)) return;
    forget(connection);
    onClosing(closing);
    when(() => connection.socket.destroy());
  };
  const displace = (connection: ClientConnection): void => close(connection, 'displaced', leaving.add);
  const forget = (connection: ClientConnection): void => {
    memory.settle(connection);
    connection.leave();
    all.delete(connection);
  };
  const find = (socket: Duplex): ClientConnection | undefined => {
    const connection = bySocket.get(socket);
    return connection !== undefined && all.has(connection) ? connection : undefined;
  };
  /** Closes a connection that breaks rule 4. Returns whether it stays open. */
  const keepWithin = (connection: ClientConnection, isWithin: boolean): boolean => {
    if (!isWithin) close(connection, 'over budget');
    return all.has(connection);
  };
  const end = (connection: ClientConnection, headers: number): void => {
    connection.end(headers);
    if (connection.requests > 0 || !all.has(connection)) return;
    connection.isStreaming = false;
    memory.settle(connection);
    if (connection.holder !== undefined)
      connection.enter(idle.enter(connection.holder, () => displace(connection)));
  };
  /** Applies rule 1. */
  const beginWaiting = (connection: ClientConnection, headers: number): boolean => {
    connection.wait(headers);
    memory.charge(connection, requestCost + headers);
    const { requests, waitingHeaders } = connection;
    return keepWithin(connection, requests <= budget.requests && waitingHeaders <= budget.waitingHeaders);
  };

  return {
    get guests() {
      return guests.size;
    },
    mostWaiting,
    add: (socket: ConnectionSocket) => {
      leaving.giveWay(mostWaiting);
      const connection = new ClientConnection(socket);
      connection.enter(guests.enter(socket.remoteAddress ?? '', () => displace(connection)));
      bySocket.set(socket, connection);
      all.add(connection);
      socket.once('close', () => forget(connection));
    },
    begin: (request, response) => {
      const connection = find(request.socket);
      if (connection === undefined) return false;
      connection.begin();
      if (connection.holder !== undefined) connection.leave();
      const isFirst = connection.requests === 1;
      const headers = isFirst ? 0 : headerBytes(request);
      response.once('close', () => end(connection, headers));
      if (hasBody(request))
        limitPieces(request, (pieces, bytes) => {
          memory.charge(connection, pieceCost);
          return keepWithin(connection, isWithinPieceBudget(pieces, bytes));
        });
      return isFirst || beginWaiting(connection, headers);
    },
    beginStream: (socket) => {
      const connection = find(socket);
      if (connection !== undefined) connection.isStreaming = true;
    },
    admit: (socket, holder) => {
      const connection = find(socket);
      if (connection === undefined) return;
      if (connection.holder === undefined) {
        memory.settle(connection);
        connection.leave();
      }
      connection.holder = holder;
    },
    refuse: (socket) => {
      const connection = find(socket);
      if (connection !== undefined) close(connection, 'over budget');
    },
    look: () => {
      for (const connection of all) {
        connection.look();
        keepWithin(connection, connection.isStreaming || connection.unreadSeconds < budget.unreadSeconds);
      }
      memory.look();
    },
    shed: (kind) => {
      const some = [...all].filter(isOfKind[kind]);
      for (const connection of some) close(connection, 'displaced');
      return some.length;
    },
  };
}

const isOfKind: Readonly<Record<Shedding, (connection: ClientConnection) => boolean>> = {
  guests: ({ holder, isNew }) => holder === undefined && !isNew,
  idle: ({ holder, requests, isStreaming }) => holder !== undefined && requests === 0 && !isStreaming,
  unread: ({ isStreaming, unreadSeconds }) => isStreaming && unreadSeconds >= shedUnreadSeconds,
};

function headerBytes({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}
