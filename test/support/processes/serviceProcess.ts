/** The service as users run it: the built program in its own process, with a config file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../scripts/root.ts';
import { patient } from '../../../scripts/run/patience.ts';

export interface ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Returns the output of both streams so far. */
  output(): string;
  /** Ends the service at once, like a power failure. */
  kill(): Promise<void>;
  /** Ends the service in an orderly way, like Ctrl-C, and returns the exit code. */
  stop(): Promise<number | null>;
  readonly ended: Promise<number | null>;
}

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** The path of the program to start. Absent: the built service. */
  readonly program?: string;
  /** Shell commands to run before the service starts, for example `ulimit -n 64`. */
  readonly within?: string;
  /** The program that runs the shell, and the arguments of this program. */
  readonly runner?: readonly string[];
  /** The time limit in milliseconds of a command that may never end. */
  readonly killAfter?: number;
}

export const serviceProgram = join(root, 'dist/service.js');

/** The time limit for a start, in milliseconds. */
const startTimeout = patient(60_000);

export async function startServiceProcess(
  config: string,
  options: ServiceOptions = {},
): Promise<ServiceProcess> {
  const { child, output, ended } = spawnService(['start', '-c', config, ...(options.args ?? [])], options);
  const ready = await Promise.race([
    readyLine(child, output),
    ended.then((code) => {
      throw new Error(`The service ended with code ${code}:\n${output()}`);
    }),
    new Promise<never>((_, reject) =>
      setTimeout(
        () => reject(new Error(`The service does not become ready:\n${output()}`)),
        startTimeout,
      ).unref(),
    ),
  ]);
  return {
    url: ready.url,
    port: ready.port,
    pid: child.pid as number,
    output,
    kill: () => end(child, ended, 'SIGKILL').then(() => undefined),
    stop: () => end(child, ended, 'SIGTERM'),
    ended,
  };
}

/** Runs a command of the service until the command ends, and returns its output. */
export async function runService(
  args: readonly string[],
  options: ServiceOptions = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { child, output, ended } = spawnService(args, options);
  const { killAfter } = options;
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const code = await ended;
  clearTimeout(timer);
  return { code, output: output() };
}

function spawnService(args: readonly string[], options: ServiceOptions) {
  const program = options.program ?? serviceProgram;
  if (!existsSync(program)) throw new Error(`${program} is not built: run npm run build.`);
  const [command, ...parts] = commandLine([process.execPath, program, ...args], options);
  const child = spawn(command as string, parts, {
    // Probe files and files with relative paths are created outside of the repository.
    cwd: tmpdir(),
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => text, ended };
}

/** Returns the command line to start. A shell replaces itself with the service, so that signals reach the service. */
function commandLine(line: readonly string[], { within, runner = [] }: ServiceOptions): readonly string[] {
  return within === undefined ? line : [...runner, 'sh', '-c', `${within}; exec "$0" "$@"`, ...line];
}

interface Ready {
  readonly ready: true;
  readonly url: string;
  readonly port: number;
}

function readyLine(child: ChildProcess, output: () => string): Promise<Ready> {
  return new Promise((resolve) => {
    child.stdout?.on('data', () => {
      const line = output()
        .split('\n')
        .find((each) => each.startsWith('{"ready":true'));
      if (line !== undefined) resolve(JSON.parse(line) as Ready);
    });
  });
}

async function end(
  child: ChildProcess,
  ended: Promise<number | null>,
  signal: NodeJS.Signals,
): Promise<number | null> {
  child.kill(signal);
  return ended;
}
