/**
 * What the connections of a process may cost. A connection is a guest until a good token has come over it.
 *
 * 1. A connection has at most `requests` unanswered requests. The headers of those that wait for another one hold at most
 *    `waitingHeaders` bytes together.
 * 2. A body comes in at most `pieces` pieces, and one more for each `bytesPerPiece` bytes.
 * 3. A client takes every answer within `unreadSeconds`, except for streams: those end with their token.
 * 4. A connection that breaks one of these rules is closed at once, without an answer, and counted.
 * 5. Guests have their own places and their own memory. If all places are taken, a new guest displaces the oldest guest of
 *    the address that has the most. If guests need too much memory, those that need the most are closed.
 * 6. Connections with a token that have no request have their own places, too: they displace each other, beginning with the
 *    holder who has the most. A connection with both a token and a request is never displaced.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createLobby } from './lobby.ts';
import { hasBody, limitPieces } from './pieces.ts';
import type { User } from './route.ts';

/** Who has sent a good token: an admin, or a user. */
export const admin = 'admin';
export const holderOf = ({ id }: Pick<User, 'id'>): string => `user ${id}`;

export const budget = {
  requests: 32,
  waitingHeaders: 64 * 1024,
  pieces: 256,
  bytesPerPiece: 64,
  unreadSeconds: 30,
} as const;

/** `over budget`: rule 4, or the memory of rule 5. `displaced`: to make room for others. */
export type Closing = 'over budget' | 'displaced';

/** `unread`: streams whose client has read nothing for some seconds. */
export type Shedding = 'guests' | 'idle' | 'unread';

interface ConnectionOptions {
  /** Places for guests. Each costs some kilobytes and a file handle. */
  readonly guestPlaces?: number;
  readonly idlePlaces?: number;
  readonly onClosing?: (closing: Closing) => void;
}

export interface Connections {
  /** Takes a socket that was just accepted. */
  readonly add: (socket: Duplex) => void;
  /** Counts a request. Returns false if its connection is closed. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The answer on this socket may last as long as the connection. */
  readonly beginStream: (socket: Duplex) => void;
  /** A good token has come over the socket. */
  readonly admit: (socket: Duplex, holder: string) => void;
  /** Closes the connection because it is over a limit that is enforced elsewhere. */
  readonly refuse: (socket: Duplex) => void;
  readonly guests: number;
  /** Whether a guest that waits for an answer may soon be displaced. */
  readonly isCrowded: boolean;
  /** Enforces the rules that depend on time. Called once a second. */
  readonly look: () => void;
  /** Closes all connections of a kind, except for guests that came after the last look. Returns their number. */
  readonly shed: (kind: Shedding) => number;
}

interface Connection {
  readonly socket: Duplex & Partial<Pick<Socket, 'remoteAddress' | 'bytesRead'>>;
  /** Who has sent the last good token. Undefined for a guest. */
  holder: string | undefined;
  /** Requests without a complete answer. */
  requests: number;
  waitingHeaders: number;
  /** Estimated bytes that its requests need. */
  cost: number;
  /** Bytes that had been received when it last had no request. */
  settledAt: number;
  isStreaming: boolean;
  /** It came after the last look: an honest guest stays for milliseconds. */
  isNew: boolean;
  /** For how many seconds the client has taken nothing of `bytes`. */
  unread: { readonly seconds: number; readonly bytes: number };
  /** Gives up its place. */
  leave: () => void;
}

/** Bytes that are kept for a request that waits, and for a piece of a body: measured, and rounded up. */
const requestCost = 4_096;
const pieceCost = 512;

/** Bytes. */
const guestMemory = 32 * 1024 * 1024;

/** The part of the guests' places that is filled before those who wait for an answer. */
const filledAhead = 0.9;

/** A client that reads takes something of a stream within this time. */
const shedUnreadSeconds = 5;

const nothing = (): void => {};

export function openConnections({
  guestPlaces = 5_000,
  idlePlaces = 5_000,
  onClosing = nothing,
}: ConnectionOptions = {}): Connections {
  const bySocket = new WeakMap<Duplex, Connection>();
  const all = new Set<Connection>();
  const guests = createLobby(guestPlaces);
  const idle = createLobby(idlePlaces);
  let guestCost = 0;

  const close = (connection: Connection, closing: Closing): void => {
    if (!all.has(connection)) return;
    forget(connection);
    onClosing(closing);
    connection.socket.destroy();
  };
  const forget = (connection: Connection): void => {
    settle(connection);
    leavePlace(connection);
    all.delete(connection);
  };
  const leavePlace = (connection: Connection): void => {
    connection.leave();
    connection.leave = nothing;
  };
  const settle = (connection: Connection): void => {
    if (connection.holder === undefined) guestCost -= connection.cost;
    connection.cost = 0;
    connection.settledAt = connection.socket.bytesRead ?? 0;
  };
  const charge = (connection: Connection, bytes: number): void => {
    connection.cost += bytes;
    if (connection.holder !== undefined) return;
    guestCost += bytes;
    if (guestCost > guestMemory) closeMostExpensive(guestCost, ({ cost }) => cost);
  };
  const closeMostExpensive = (total: number, costOf: (guest: Connection) => number): void => {
    const costs = [...all]
      .filter(({ holder }) => holder === undefined)
      .map((guest) => [guest, costOf(guest)] as const)
      .sort(([, a], [, b]) => b - a);
    let left = total;
    for (const [guest, cost] of costs) {
      if (left <= guestMemory) return;
      left -= cost;
      close(guest, 'over budget');
    }
  };
  /** Returns whether it stays open. */
  const keepWithin = (connection: Connection, isWithin: boolean): boolean => {
    if (!isWithin) close(connection, 'over budget');
    return all.has(connection);
  };
  const end = (connection: Connection, headers: number): void => {
    connection.requests -= 1;
    connection.waitingHeaders -= headers;
    if (connection.requests > 0 || !all.has(connection)) return;
    connection.isStreaming = false;
    settle(connection);
    if (connection.holder !== undefined)
      connection.leave = idle.enter(connection.holder, () => close(connection, 'displaced'));
  };
  const beginWaiting = (connection: Connection, headers: number): boolean => {
    connection.waitingHeaders += headers;
    charge(connection, requestCost + headers);
    return keepWithin(
      connection,
      connection.requests <= budget.requests && connection.waitingHeaders <= budget.waitingHeaders,
    );
  };
  const lookAtUnread = (connection: Connection): void => {
    const { unread, isStreaming } = connection;
    const bytes = connection.socket.writableLength;
    const isStuck = bytes > 0 && bytes >= unread.bytes;
    connection.unread = { bytes, seconds: isStuck ? unread.seconds + 1 : 0 };
    keepWithin(connection, isStreaming || connection.unread.seconds < budget.unreadSeconds);
  };

  return {
    get guests() {
      return guests.size;
    },
    get isCrowded() {
      return guests.size >= guestPlaces * filledAhead;
    },
    add: (socket: Connection['socket']) => {
      const connection: Connection = {
        socket,
        holder: undefined,
        requests: 0,
        waitingHeaders: 0,
        cost: 0,
        settledAt: 0,
        isStreaming: false,
        isNew: true,
        unread: { seconds: 0, bytes: 0 },
        leave: guests.enter(socket.remoteAddress ?? '', () => close(connection, 'displaced')),
      };
      bySocket.set(socket, connection);
      all.add(connection);
      socket.once('close', () => forget(connection));
    },
    begin: (request, response) => {
      const connection = bySocket.get(request.socket);
      if (connection === undefined || !all.has(connection)) return false;
      connection.requests += 1;
      if (connection.holder !== undefined) leavePlace(connection);
      const headers = connection.requests === 1 ? 0 : headerBytes(request);
      response.once('close', () => end(connection, headers));
      if (hasBody(request))
        limitPieces(request, (pieces, bytes) => {
          charge(connection, pieceCost);
          return keepWithin(connection, pieces <= budget.pieces + bytes / budget.bytesPerPiece);
        });
      return connection.requests === 1 || beginWaiting(connection, headers);
    },
    beginStream: (socket) => {
      const connection = bySocket.get(socket);
      if (connection !== undefined) connection.isStreaming = true;
    },
    admit: (socket, holder) => {
      const connection = bySocket.get(socket);
      if (connection === undefined || !all.has(connection)) return;
      if (connection.holder === undefined) {
        settle(connection);
        leavePlace(connection);
      }
      connection.holder = holder;
    },
    refuse: (socket) => {
      const connection = bySocket.get(socket);
      if (connection !== undefined) close(connection, 'over budget');
    },
    look: () => {
      for (const connection of all) {
        connection.isNew = false;
        lookAtUnread(connection);
      }
      // Node keeps the headers that have come so far of a request that is not complete.
      const costOf = ({ socket, requests, cost, settledAt }: Connection): number =>
        cost + (requests === 0 ? (socket.bytesRead ?? 0) - settledAt : 0);
      let total = 0;
      for (const connection of all) if (connection.holder === undefined) total += costOf(connection);
      if (total > guestMemory) closeMostExpensive(total, costOf);
    },
    shed: (kind) => {
      const some = [...all].filter(isOfKind[kind]);
      for (const connection of some) close(connection, 'displaced');
      return some.length;
    },
  };
}

const isOfKind: Readonly<Record<Shedding, (connection: Connection) => boolean>> = {
  guests: ({ holder, isNew }) => holder === undefined && !isNew,
  idle: ({ holder, requests, isStreaming }) => holder !== undefined && requests === 0 && !isStreaming,
  unread: ({ isStreaming, unread }) => isStreaming && unread.seconds >= shedUnreadSeconds,
};

function headerBytes({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}
