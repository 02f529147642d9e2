/**
 * A server that does nothing and is not attacked. What its answers take is what the machine takes: the processor that the
 * attacker has, and the loop of whoever asks.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((_, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () =>
  process.send?.({ kind: 'listening', port: (server.address() as AddressInfo).port }),
);
process.on('disconnect', () => process.exit());
