/**
 * A server that does nothing and is not attacked. Its answers take only the time that the machine itself needs: for the processor,
 * which the attacker also uses, and for the event loop of the prober.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((_, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () =>
  process.send?.({ kind: 'listening', port: (server.address() as AddressInfo).port }),
);
process.on('disconnect', () => process.exit());
