/** A program that runs for us: how it is asked to end, and when it has ended. */
import type { ChildProcess } from 'node:child_process';

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Resolves when it has ended and all that it wrote is read; rejects if it cannot be started. Node's own event `close` never
 * comes for a child whose channel was closed from here.
 */
export function endOf(child: ChildProcess): Promise<End> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const read = Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => void read.then(() => resolve({ code, signal })));
  });
}

/**
 * Asks a process to end. On Windows, a killed process ends at once, in the middle of its work, so the service takes the end of
 * its channel as a request, on every system, and also if we are killed.
 */
export function askToEnd(child: ChildProcess): void {
  if (process.platform !== 'win32') child.kill('SIGTERM');
  else if (child.connected) child.disconnect();
}
