/** Child processes that end with us: on a time-out, an exception, Ctrl-C or a normal end. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { patient } from '../run/patience.ts';

interface ProcessResult {
  /** `null` when the process was killed. */
  readonly code: number | null;
  /** Standard output and standard error, as they came. */
  readonly output: string;
  readonly timedOut: boolean;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  /** The limit on an idle, fast machine: see `patience.ts`. */
  readonly timeoutMs: number;
}

/** Windows has none: there only the child itself is ended. */
const hasGroups = process.platform !== 'win32';

/** Children that lead a process group of their own and may have descendants. */
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
  // Ctrl-Break, which only Windows has.
  ['SIGBREAK', 149],
] as const) {
  process.once(signal, () => void leave(code));
}

/** Work that must end properly, latest first. The caller limits its time. */
export function beforeTheEnd(work: () => Promise<unknown>): void {
  orderly.push(work);
}

/** Ends this process, and what it started with it. A signal does the same. */
export function leave(code: number): Promise<never> {
  leaving ??= endAll(code);
  return leaving;
}

/** Whether the process ends because it was asked to. */
export function isLeaving(): boolean {
  return leaving !== undefined;
}

async function endAll(code: number): Promise<never> {
  for (let work = orderly.pop(); work !== undefined; work = orderly.pop()) await work().catch(() => {});
  // The default action of a signal would not call the listeners above.
  return process.exit(code);
}

/** Called when this process ends, and nothing runs any more of what it started. */
export function atTheEnd(farewell: () => void): void {
  farewells.push(farewell);
}

/** Starts a process in a group of its own, so that it can be ended with everything that it starts. */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: hasGroups });
  groups.add(child);
  return child;
}

/** Asks the whole group to end, and insists after `graceMs`. Resolves when the leader is gone. */
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

/** Runs a command to its end. A command that cannot be started has code 127. */
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
    // The group has ended by itself.
  }
}
