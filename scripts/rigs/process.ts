/** Child processes that end together with this one: after a timeout, an exception, Ctrl-C or a normal end. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { patient } from '../run/patience.ts';

interface ProcessResult {
  /** The exit code; `null` if the process was killed. */
  readonly code: number | null;
  /** Standard output and standard error, interleaved as they arrived. */
  readonly output: string;
  readonly timedOut: boolean;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  /** The time limit on an idle, fast machine. See `patience.ts`. */
  readonly timeoutMs: number;
}

/** Whether the system has process groups. Windows has none, so only the child itself is ended there. */
const hasGroups = process.platform !== 'win32';

/** Children that lead their own process group and may have descendants. */
const groups = new Set<ChildProcess>();

const orderly: (() => Promise<unknown>)[] = [];
const farewells: (() => void)[] = [];
let leaving: Promise<never> | undefined;

process.once('exit', () => {
  for (const child of groups) signalGroup(child, 'SIGKILL');
  for (const farewell of farewells) farewell();
});
for (const [signal, code] of [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
  // Ctrl-Break exists only on Windows.
  ['SIGBREAK', 149],
] as const) {
  process.once(signal, () => void leave(code));
}

/** Registers work that must be completed before this process ends. The latest work runs first. The caller limits its duration. */
export function beforeTheEnd(work: () => Promise<unknown>): void {
  orderly.push(work);
}

/** Ends this process and all processes that it started. A signal does the same. */
export function leave(code: number): Promise<never> {
  leaving ??= endAll(code);
  return leaving;
}

/** Whether this process is ending because it was asked to. */
export function isLeaving(): boolean {
  return leaving !== undefined;
}

async function endAll(code: number): Promise<never> {
  for (let work = orderly.pop(); work !== undefined; work = orderly.pop()) await work().catch(() => {});
  // The default action of a signal would not call the listeners above.
  return process.exit(code);
}

/** Registers a function that is called when this process ends, after everything that it started has ended. */
export function atTheEnd(farewell: () => void): void {
  farewells.push(farewell);
}

/** Starts a process in its own group, so that it can be ended with all processes that it starts. */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: hasGroups });
  groups.add(child);
  return child;
}

/** Asks the entire group to end, and kills it after `graceMs`. Resolves when the leader has ended. */
export async function stopGroup(child: ChildProcess, graceMs = 5000): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const insist = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
    signalGroup(child, 'SIGTERM');
    await exited;
    clearTimeout(insist);
  }
  // Descendants may outlive their leader.
  signalGroup(child, 'SIGKILL');
  groups.delete(child);
}

/** Runs a command to its end. If it cannot be started, the exit code is 127. */
export async function run(
  command: string,
  args: readonly string[],
  { timeoutMs, ...options }: RunOptions,
): Promise<ProcessResult> {
  const child = startGroup(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    signalGroup(child, 'SIGKILL');
  }, patient(timeoutMs));
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(127);
    });
    child.once('close', resolve);
  });
  clearTimeout(timer);
  groups.delete(child);
  return { code, output, timedOut };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(hasGroups ? -child.pid : child.pid, signal);
  } catch {
    // The group has already ended.
  }
}
