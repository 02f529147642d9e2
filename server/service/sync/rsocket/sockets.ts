/** WebSockets of clients: accepted, counted, and closed when the service stops. */
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Upgrade } from '../../http/server.ts';
import { openConnection, type SocketParts, type Wire } from './connection.ts';

export interface Sockets {
  readonly upgrade: Upgrade;
  close(): Promise<void>;
}

/** Bytes of one message: a request may have 1 MiB, and a token beside it. */
const MOST_PAYLOAD = (1024 + 128) * 1024;

export function openSockets(
  parts: SocketParts,
  { maxConnections }: { readonly maxConnections: number },
): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_PAYLOAD, perMessageDeflate: false });
  return {
    upgrade: (request, socket, head, stopping) => {
      server.handleUpgrade(request, socket, head, (accepted) => {
        const isCrowded = server.clients.size > maxConnections;
        const connection = openConnection(wireOf(accepted), parts, { isCrowded, stopping });
        accepted.on('message', (data, isBinary) => connection.receive(isBinary ? bytesOf(data) : NOT_BINARY));
        accepted.on('close', connection.lost);
        // Always followed by `close`.
        accepted.on('error', () => {});
      });
    },
    close: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate();
        server.close(() => resolve());
      }),
  };
}

/** No frame can be read from it. */
const NOT_BINARY = Buffer.alloc(0);

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

function wireOf(socket: WebSocket): Wire {
  return {
    write: (frame) => new Promise((resolve) => socket.send(frame, { binary: true }, () => resolve())),
    close: (code, reason) => socket.close(code, reason),
  };
}
