/** A process that continues while a test looks at it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { patient } from '../../../scripts/run/patience.ts';

export interface RunningProcess {
  readonly child: ChildProcess;
  /** Returns its output so far. */
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
 * Waits until this is true of the process, and rejects if the process ends earlier.
 *
 * @param seconds the limit for an idle, fast machine
 */
export async function until(
  { out, err, ended }: RunningProcess,
  isThere: () => boolean,
  seconds = 90,
): Promise<void> {
  const end = performance.now() + patient(seconds * 1000);
  let hasEnded = false;
  // The process is over for the test only after its last output.
  void ended.then(() => {
    hasEnded = true;
  });
  while (!isThere()) {
    if (hasEnded || performance.now() > end)
      throw new Error(`The process did not reach this point:\n${err()}${out()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
