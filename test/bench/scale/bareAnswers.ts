/** Node's own server, with answers that begin and do not end: what they take, no client of ours can take less. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(200).write('welcome\n'));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_000 }, () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on('disconnect', () => process.exit());
