/** The program of rawServer.ts. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { greeting, type RawLines } from './rawServer.ts';

/** A piece as large as one write of the service. */
const piece = Buffer.alloc(128 * 1024, 'x');

const sockets = new Set<Socket>();
const server = createServer({ noDelay: true }, (socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.once('close', () => sockets.delete(socket));
  // A client asks first, as one of the service does.
  socket.once('data', () => socket.write(`${greeting.answer}\n`));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_000 }, () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on('message', ({ size, end }: RawLines) => {
  const bytes = Buffer.from(end);
  for (const socket of sockets) {
    for (let left = size; left > 0; left -= piece.length) socket.write(piece.subarray(0, left));
    socket.write(bytes);
  }
});
process.on('disconnect', () => process.exit());
