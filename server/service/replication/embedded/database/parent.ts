/**
 * The database's thread is blocked while a statement runs, and would not notice that the service is gone. Another thread
 * waits for the end of standard input, which the service holds open as long as it lives, and ends the process.
 */
import { Worker } from 'node:worker_threads';

const watchScript = `
const { Socket } = require('node:net');
const end = () => process.kill(process.pid, 'SIGKILL');
new Socket({ fd: 0 }).on('error', end).on('close', end).resume();
`;

/** In MiB: it does nothing but wait. */
const memory = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 };

export function endWithParent(): void {
  const watch = new Worker(watchScript, { eval: true, resourceLimits: memory });
  // Without the thread, nothing is worse than that a long statement runs to its end.
  watch.on('error', () => {});
  watch.unref();
}
