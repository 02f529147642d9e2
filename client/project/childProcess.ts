/** Programs that run for us: how to ask them to end, and how to notice that they have ended. */
import type { ChildProcess } from 'node:child_process';

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Resolves when a program has ended and all of its output has been read. Rejects if the program cannot be started. Node's own
 * event `close` never occurs for a child whose channel was closed by us.
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
 * Asks a process to end. On Windows, a killed process ends at once, in the middle of its work, so the service treats the end of
 * its channel as a request to end. This works on every system, and also if we are killed.
 */
export function askToEnd(child: ChildProcess): void {
  if (process.platform !== 'win32') child.kill('SIGTERM');
  else if (child.connected) child.disconnect();
}

/**
 * Variables for the process of a service, so that it gives memory back to Linux. The allocator of glibc keeps what each thread has
 * freed: tens of megabytes after large answers. The user's own value has priority, and other systems ignore the variable.
 */
export const memoryVariables: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '2' };
