/** Finds processes that a run did not end. Children inherit our environment, whatever their group or parent is. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const mark = 'HEADWATER_RUN';

/** A process that was asked to end may need a moment for it. */
const graceMs = 3000;

/** Marks the processes that we and our children start from now on, so that they can be found again. */
export function markDescendants(): void {
  process.env[mark] = `${process.pid}-${Date.now()}`;
}

/** Ends the marked processes that still run, and returns their command lines. Sees them on Linux only. */
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
      // A zombie has no command line: it has ended, and only its parent has not noticed.
      return variables.includes(wanted) && command !== '' ? [{ pid: Number(name), command }] : [];
    });
}

function readIfAlive(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended meanwhile, or is not ours.
    return '';
  }
}
