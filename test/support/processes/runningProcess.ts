/** A process that runs while a test reads its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { patient } from '../../../scripts/run/patience.ts';

export interface RunningProcess {
  readonly child: ChildProcess;
  /** Returns the text on standard output so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves to the exit code. */
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
 * Waits until the condition is true, and rejects if the process ends earlier.
 *
 * @param seconds the time limit for a fast machine that is idle
 */
export async function until(
  { out, err, ended }: RunningProcess,
  isThere: () => boolean,
  seconds = 90,
): Promise<void> {
  const end = performance.now() + patient(seconds * 1000);
  let hasEnded = false;
  // `ended` resolves after the last output of the process, so the test never misses any output.
  void ended.then(() => {
    hasEnded = true;
  });
  while (!isThere()) {
    if (hasEnded || performance.now() > end)
      throw new Error(`The process did not reach this point:\n${err()}${out()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
