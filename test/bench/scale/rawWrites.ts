/** A server that only writes: what the same bytes to as many sockets cost without anything of ours. */
import { type AddressInfo, createServer, type Socket } from 'node:net';

const sockets = new Set<Socket>();
const server = createServer({ noDelay: true }, (socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.once('close', () => sockets.delete(socket));
  // As a client of the service, it asks first.
  socket.once('data', () => socket.write('welcome\n'));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_000 }, () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on('message', (line: string) => {
  const bytes = Buffer.from(line);
  for (const socket of sockets) socket.write(bytes);
});
process.on('disconnect', () => process.exit());
