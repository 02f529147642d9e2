/**
 * Runs workers as processes of `node:cluster`. They share the port on all systems, and the failure of one does not affect the
 * others.
 */
import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { systemClock } from '../ground/clock.ts';
import { startAlone } from '../ground/unattended.ts';
import type { ProcessChannel, StartWorker } from './channel.ts';

/** Starts the program of this process as a worker. */
export const startClusterWorker: StartWorker = () => {
  cluster.setupPrimary({ args: [], serialization: 'advanced', windowsHide: true });
  const worker = cluster.fork();
  closeUnansweredConnections(worker.process);
  reportEndOfChannel(worker.process);
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
        // If the channel of a running process breaks, `ended` resolves at the end of the process. Here, there may be no process.
        if (worker.process.pid === undefined) resolve(error.message);
      });
    }),
  };
};

/**
 * Closes connections that a worker never took. This process accepts connections and sends each to a worker, one at a time. It
 * closes its own copy when the worker reports that it has the connection. If the worker ends before that, `node:cluster` never
 * closes the copy, and the client would wait forever, so this function closes it. Closing a copy twice does nothing. On Windows,
 * workers accept connections themselves, and receive the listening socket instead.
 */
function closeUnansweredConnections(worker: ChildProcess): void {
  // A process that could not be started has no channel.
  if (worker.pid === undefined || cluster.schedulingPolicy !== cluster.SCHED_RR) return;
  let last: { close(): void } | undefined;
  let hasEnded = false;
  const send = worker.send.bind(worker) as (...args: readonly unknown[]) => boolean;
  worker.send = (...args: readonly unknown[]) => {
    last = (args[1] as typeof last) ?? last;
    if (hasEnded) last?.close();
    return !hasEnded && send(...args);
  };
  worker.once('exit', () => {
    hasEnded = true;
    last?.close();
  });
}

/** The time in milliseconds that Node has to report the end of the channel of an ended worker. */
const channelPatience = 100;

/**
 * Reports the end of the channel of a worker that has ended, if Node does not. Without this report, `node:cluster` keeps the port
 * open for a worker whose end was noticed before the end of its channel. Connections would then wait forever, and workers that ask
 * for the port by its number would be refused. That has happened after both workers were killed at once.
 */
function reportEndOfChannel(worker: ChildProcess): void {
  let isReported = false;
  worker.once('disconnect', () => {
    isReported = true;
  });
  const report = async (): Promise<void> => {
    // The last messages of the worker are read first.
    do await systemClock.sleep(channelPatience);
    while (worker.connected);
    if (!isReported) worker.emit('disconnect');
  };
  worker.once('exit', () => startAlone('Reporting the end of a channel', report));
}

/** Returns the channel to the primary, in a process that was started as a worker. */
export function channelToPrimary(): ProcessChannel | undefined {
  if (!cluster.isWorker) return undefined;
  return {
    send: (message) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => {});
    },
    listen: (listener) => void process.on('message', listener),
  };
}
