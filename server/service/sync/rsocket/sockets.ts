/** The WebSockets of clients: accepts and counts them, and closes them when the service stops. */
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { ServiceError } from '../../ground/errors.ts';
import { openSlices } from '../../ground/slices.ts';
import { holderOf } from '../../http/connections.ts';
import { createLobby } from '../../http/lobby.ts';
import { pieceBudget } from '../../http/pieces.ts';
import { endWithError } from '../../http/reply.ts';
import type { User } from '../../http/route.ts';
import type { Upgrade } from '../../http/server.ts';
import { openSocketConnection } from './connection.ts';
import type { SocketParts, Wire } from './wire.ts';

interface Sockets {
  readonly upgrade: Upgrade;
  close(): Promise<void>;
}

interface SocketLimit {
  readonly maxConnections: number;
  /** Returns the number of WebSocket clients in other processes of the service, which also count. */
  readonly elsewhere: () => number;
}

/** The maximum size of a message in bytes: a request of 1 MiB, and a token. */
const mostPayload = (1024 + 128) * 1024;
/**
 * The maximum number of socket reads for one frame, because each read is kept as a separate buffer. Networks carry about 1,400
 * bytes at once.
 */
const mostReads = 2_048;
/**
 * The maximum number of bytes up to the end of the first message. It is a SETUP with a token, which may be as long as HTTP
 * headers may be.
 */
const mostSetup = 128 * 1024;
/** The maximum number of sockets that have not sent a valid token yet. */
const mostAnonymous = 1_000;
/** The error code of `ws` for a message with too many fragments, or a frame with too many reads. */
const tooManyParts = 'WS_ERR_TOO_MANY_BUFFERED_PARTS';
/** The time in milliseconds that a client has to read the remaining bytes when it is closed. */
const closePatience = 5_000;

export function openSockets(parts: SocketParts, { maxConnections, elsewhere }: SocketLimit): Sockets {
  const options = {
    noServer: true,
    maxPayload: mostPayload,
    maxFragments: pieceBudget.pieces,
    maxBufferedChunks: mostReads,
    perMessageDeflate: false,
    // Automatic pongs would accumulate in memory for a client that does not read.
    autoPong: false,
    closeTimeout: closePatience,
  };
  const server = new WebSocketServer(options);
  server.on('wsClientError', (_, socket) => endWithError(socket, new ServiceError('SVC_S2001', noHandshake)));
  const anonymous = createLobby(mostAnonymous);
  const slices = openSlices();
  let admitted = 0;
  return {
    upgrade: (request, socket, head, door) => {
      // The following functions live as long as the socket. They must not refer to the request, whose headers would live as long.
      const address = request.socket.remoteAddress ?? '';
      server.handleUpgrade(request, socket, head, (accepted) => {
        const leave = anonymous.enter(address, () => accepted.terminate());
        let isAdmitted = false;
        const admit = (user: User): boolean => {
          leave();
          if (admitted + elsewhere() >= maxConnections) return false;
          door.admit(holderOf(user));
          admitted++;
          isAdmitted = true;
          return true;
        };
        const { stopping } = door;
        const connection = openSocketConnection(wireOf(accepted), parts, { admit, slices, stopping });
        limitSetup(accepted, socket, door.refuse);
        answerPings(accepted);
        accepted.on('message', (data, isBinary) => connection.receive(isBinary ? bytesOf(data) : notBinary));
        accepted.on('close', () => {
          leave();
          if (isAdmitted) admitted--;
          connection.lost();
        });
        // An error is always followed by `close`.
        accepted.on('error', (error: NodeJS.ErrnoException) => {
          if (error.code === tooManyParts) door.refuse();
        });
      });
    },
    close: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate();
        server.close(() => resolve());
      }),
  };
}

const noHandshake =
  'This is not a WebSocket handshake: it needs GET, `Upgrade: websocket`, a Sec-WebSocket-Key, and Sec-WebSocket-Version: 13.';

/** Limits the first message. An incomplete message is kept in memory, so large messages are only accepted after the SETUP. */
function limitSetup(accepted: WebSocket, socket: Duplex, refuse: () => void): void {
  let size = 0;
  const count = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > mostSetup) refuse();
  };
  socket.on('data', count);
  accepted.once('message', () => socket.off('data', count));
}

/** Answers one ping at a time. Pings that arrive while an answer is being sent need none. */
function answerPings(accepted: WebSocket): void {
  let isSending = false;
  accepted.on('ping', (data) => {
    if (isSending) return;
    isSending = true;
    accepted.pong(data, false, () => {
      isSending = false;
    });
  });
}

/** Represents a text message: no frame can be decoded from it. */
const notBinary = Buffer.alloc(0);

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

function wireOf(socket: WebSocket): Wire {
  return {
    write: (frame) => new Promise((resolve) => socket.send(frame, { binary: true }, () => resolve())),
    close: (code, reason) => socket.close(code, reason),
    cutOff: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}
