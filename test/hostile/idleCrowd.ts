/** Keeps many sockets open and sends almost nothing on them. Replaces each socket that is closed, until the process is ended. */
import { connect } from 'node:net';
import type { IdleCrowd } from './idleCrowds.ts';

/** Milliseconds before a socket that was closed is opened again, and between two reports. */
const between = 5;
const reportedEvery = 500;
/** The number of sockets that are opened at the same moment. */
const atOnce = 100;

const { port, sockets, address, bytes } = JSON.parse(process.argv[2] ?? '') as IdleCrowd;
let opened = 0;
process.on('disconnect', () => process.exit());
setInterval(() => {
  process.send?.({ kind: 'opened', opened });
  opened = 0;
}, reportedEvery);
for (let count = 0; count < sockets; count += 1) {
  open();
  if (count % atOnce === 0) await new Promise((resolve) => setTimeout(resolve, between));
}

function open(): void {
  opened += 1;
  connect({ port, host: '127.0.0.1', localAddress: address })
    .on('error', () => undefined)
    .once('close', () => setTimeout(open, between))
    .resume()
    .write(bytes);
}
