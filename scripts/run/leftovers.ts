/**
 * Finds processes that a run did not end. Children inherit our environment variables, even if they have another group or parent.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const mark = 'HEADWATER_RUN';

/** The time that a process may need to end after it was asked to, in milliseconds. */
const graceMs = 3000;

/** Marks all processes that we and our children start from now on, so that they can be found later. */
export function markDescendants(): void {
  process.env[mark] = `${process.pid}-${Date.now()}`;
}

/** Ends the marked processes that are still running, and returns their command lines. Finds them only on Linux. */
export async function endLeftovers(): Promise<readonly string[]> {
  const end = performance.now() + graceMs;
  while (markedProcesses().length > 0 && performance.now() < end) await sleep(100);
  const left = markedProcesses();
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  return left.map(({ command }) => command);
}

interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
}

function markedProcesses(): readonly MarkedProcess[] {
  if (process.platform !== 'linux') return [];
  const wanted = `${mark}=${process.env[mark]}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const variables = readIfAlive(`/proc/${name}/environ`).split('\0');
      const command = readIfAlive(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
      // A zombie has no command line: it has ended, but its parent has not noticed yet.
      return variables.includes(wanted) && command !== '' ? [{ pid: Number(name), command }] : [];
    });
}

function readIfAlive(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended in the meantime, or belongs to another user.
    return '';
  }
}
