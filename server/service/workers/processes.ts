/** Workers as processes of `node:cluster`: they share the port on all systems, and each fails alone. */
import cluster from 'node:cluster';
import type { ProcessChannel, StartWorker } from './channel.ts';

/** Runs the same program as this process. */
export const startClusterWorker: StartWorker = () => {
  cluster.setupPrimary({ args: [], serialization: 'advanced', windowsHide: true });
  const worker = cluster.fork();
  return {
    channel: {
      send: (message) => {
        if (worker.isConnected()) worker.send(message as never);
      },
      listen: (listener) => void worker.on('message', listener),
    },
    pid: worker.process.pid,
    kill: () => void worker.process.kill('SIGKILL'),
    ended: new Promise((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
      worker.on('error', (error) => {
        // A channel that ends under a message says so by the end of the process, which there is none of here.
        if (worker.process.pid === undefined) resolve(error.message);
      });
    }),
  };
};

/** Of a process that was started as a worker: to the primary. */
export function channelToPrimary(): ProcessChannel | undefined {
  if (!cluster.isWorker) return undefined;
  return {
    send: (message) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => {});
    },
    listen: (listener) => void process.on('message', listener),
  };
}
