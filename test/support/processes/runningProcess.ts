/** A process that goes on while a test looks at it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { patient } from '../../../scripts/run/patience.ts';

export interface RunningProcess {
  readonly child: ChildProcess;
  /** What it has said so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

export function startProcess(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): RunningProcess {
  const child = spawn(program, args, options);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, out: () => said.stdout, err: () => said.stderr, ended };
}

/**
 * Waits until the process has come so far.
 *
 * @param seconds the limit for an idle, fast machine
 */
export async function until(
  { out, err }: RunningProcess,
  isThere: () => boolean,
  seconds = 90,
): Promise<void> {
  const end = performance.now() + patient(seconds * 1000);
  while (!isThere()) {
    if (performance.now() > end) throw new Error(`The process did not come so far:\n${out()}${err()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
