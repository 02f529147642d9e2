/** A hostile server for a key set, which misbehaves in another way with each answer. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const gibibyte = 2 ** 30;

const answers: readonly ((response: ServerResponse) => void)[] = [
  (response) => response.writeHead(302, { Location: '/again' }).end(),
  (response) => sendEndlessly(response.writeHead(302, { Location: '/again' }), Buffer.alloc(64 * 1024)),
  (response) => sendEndlessly(response.writeHead(200), Buffer.alloc(64 * 1024, ' ')),
  (response) => sendEndlessly(response.writeHead(500), Buffer.alloc(64 * 1024)),
  (response) => sendEndlessly(response.writeHead(200), Buffer.from(' ')),
  (response) => {
    const timer = setInterval(() => response.write(' '), 1_000);
    response.writeHead(200).once('close', () => clearInterval(timer));
  },
  () => undefined,
  (response) => response.end('{"keys":['.repeat(10_000)),
];

let last = 0;
const server = createServer((_, response) => {
  response.on('error', () => undefined);
  answers[last % answers.length]?.(response);
  last += 1;
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ kind: 'listening', port: (server.address() as AddressInfo).port }),
);
process.on('disconnect', () => process.exit());

function sendEndlessly(response: ServerResponse, bytes: Buffer): void {
  let sent = 0;
  const send = (): void => {
    while (sent < gibibyte && !response.destroyed) {
      sent += bytes.length;
      if (!response.write(bytes)) return void response.once('drain', send);
    }
    response.end();
  };
  send();
}
