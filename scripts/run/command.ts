/** Runs the repository's tools, each in its own process, and ends them with this one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { root } from '../root.ts';
import { patient } from './patience.ts';

export interface RunResult {
  /** The exit code; `null` if the process was killed. */
  readonly code: number | null;
  /** Standard output and standard error, interleaved as they arrived. */
  readonly output: string;
  readonly seconds: number;
}

interface Options {
  /** A script that prints and reports nothing for this time, on an idle, fast machine, is ended. See `patience.ts`. */
  readonly silenceSeconds?: number;
  /** Called with each piece of output as it arrives. */
  readonly echo?: (text: string) => void;
  /** Called with each message that the script sends to its parent. */
  readonly onMessage?: (message: unknown) => void;
}

/** The usual limit of silence. No tool is silent for longer while it works, although package managers print nothing for minutes. */
const usualSilenceSeconds = 900;

const running = new Set<ChildProcess>();
let interrupted: number | undefined;

/** Runs a JavaScript or TypeScript file with the same Node, in the root of the repository. */
export async function runScript(
  file: string,
  args: readonly string[] = [],
  { silenceSeconds = usualSilenceSeconds, echo, onMessage }: Options = {},
): Promise<RunResult> {
  endWithUs();
  const start = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, file, ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  let output = '';
  const silence = patient(silenceSeconds * 1000);
  const timer = setTimeout(() => {
    output += `\n${file} printed and reported nothing for ${silence / 1000} s and was ended.\n`;
    end(child);
  }, silence);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      timer.refresh();
      output += text;
      echo?.(text);
    });
  }
  child.on('message', (message) => {
    timer.refresh();
    onMessage?.(message);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  running.delete(child);
  if (interrupted !== undefined) {
    if (running.size === 0) process.exit(interrupted);
    // This process is ending, so the caller must not start the next step.
    await new Promise(() => {});
  }
  return { code, output, seconds: (performance.now() - start) / 1000 };
}

/**
 * Passes a signal on, and ends this process when every child has cleaned up and ended. On Windows, the children have also received
 * Ctrl-C, and a signal would interrupt their cleanup.
 */
function endWithUs(): void {
  if (process.listenerCount('SIGINT') > 0) return;
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGBREAK', 149],
  ] as const) {
    process.on(signal, () => {
      interrupted ??= code;
      if (running.size === 0) process.exit(interrupted);
      for (const child of running)
        if (process.platform === 'win32') insist(child);
        else end(child);
    });
  }
}

function end(child: ChildProcess): void {
  child.kill('SIGTERM');
  insist(child);
}

function insist(child: ChildProcess): void {
  setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
}
