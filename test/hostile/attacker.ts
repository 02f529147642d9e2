/** A worker of its own, so that the attack takes no time from those who measure. */
import { parentPort, workerData } from 'node:worker_threads';
import { type AttackName, attacks, type Target } from './attacks.ts';

const { name, target } = workerData as { name: AttackName; target: Target };
let attempts = 0;
const stop = new AbortController();
parentPort?.on('message', () => stop.abort());
try {
  await attacks[name](target, {
    signal: stop.signal,
    count: () => {
      attempts += 1;
    },
    complain: (complaint) => parentPort?.postMessage({ complaint }),
  });
} finally {
  parentPort?.postMessage({ attempts });
  process.exit();
}
