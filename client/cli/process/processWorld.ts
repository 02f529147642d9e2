/** The process around a command: its streams, its files, its signals, and the programs that it starts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createInterface as createDialogue } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { rehearse } from '../../../server/shared/rehearsal.ts';
import { scriptDatabase, seedDatabase } from '../../../server/shared/temporaryDatabases.ts';
import { askToEnd, endOf, memoryVariables } from '../../project/childProcess.ts';
import { readEnvFile } from '../../project/envFile.ts';
import { firstFreePort } from '../../project/freePort.ts';
import type { Program, RunningProgram, World } from '../world.ts';
import { openChannel } from './channel.ts';
import { disk } from './disk.ts';
import { grantsOf } from './grants.ts';
import { resetsIn } from './resets.ts';

/** The function is shared by all commands of this process. */
const runSeeds = seedDatabase();
const runScripts = scriptDatabase();

/** The last one is Ctrl-Break, which only Windows has. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

interface ProcessWorld {
  readonly world: World;
  /** Ends long-running programs now, because their output is no longer read. Other programs end on their own. */
  readonly endPrograms: () => void;
}

export function openProcess(): ProcessWorld {
  // Windows would look for a program in the working directory first, which may belong to a stranger.
  process.env.NoDefaultCurrentDirectoryInExePath = '1';
  const children = new Set<ChildProcess>();
  const stopping = onInterrupt(children);
  const endPrograms = (): void => {
    if (children.size > 0) stopping.abort();
  };
  return { world: worldOf(children, stopping.signal), endPrograms };
}

function worldOf(children: Set<ChildProcess>, signal: AbortSignal): World {
  return {
    print: (line) => process.stdout.write(`${line}\n`),
    complain: (line) => process.stderr.write(`${line}\n`),
    scribble: (text) => process.stderr.write(text),
    terminal: { output: process.stdout.isTTY === true, errors: process.stderr.isTTY === true },
    env: { ...readEnvFile('.env'), ...process.env },
    userEnv: process.env,
    confirm: async (question) => {
      const answer = await ask(`${question} [y/N] `, signal);
      return answer === undefined ? undefined : /^y(es)?$/i.test(answer);
    },
    choose: async (question, from) => {
      const list = from.map((each, index) => `  ${index + 1}  ${each}\n`).join('');
      const answer = await ask(`${question}\n${list}Number: `, signal);
      return answer === undefined || !/^\d+$/.test(answer) ? undefined : from[Number(answer) - 1];
    },
    firstFreePort,
    input: () => text(process.stdin),
    channel: () => openChannel(process.stdin, process.stdout),
    grants: grantsOf(process.env),
    nodeVersion: process.versions.node,
    platform: process.platform,
    folder: process.cwd(),
    moveTo: (folder) => {
      process.chdir(folder);
      return worldOf(children, signal);
    },
    files: disk,
    now: Date.now,
    signal,
    pause: (milliseconds) => sleep(milliseconds, undefined, { signal }),
    secret: (bytes) => randomBytes(bytes).toString('base64url'),
    fetch,
    openApi: async (endpoint) => (await import('../onDemand.ts')).openApi(endpoint),
    runSql: async (url, statements) => (await import('../onDemand.ts')).runSql(url, statements, signal),
    runSeeds,
    runScripts,
    rehearse,
    readPage: (name) => readFile(join(import.meta.dirname, '../docs', `${name}.md`), 'utf8'),
    startProgram: (program, args, options = {}) => startProgram(program, args, options, children),
    resets: resetsIn(process.cwd(), process.env),
  };
}

async function ask(question: string, signal: AbortSignal): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const dialogue = createDialogue({ input: process.stdin, output: process.stderr });
  // Pass on Ctrl-C, because the terminal is in raw mode and sends no signal for it.
  dialogue.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'));
  const closed = new Promise<string>((resolve) => dialogue.once('close', () => resolve('')));
  try {
    return (await Promise.race([dialogue.question(question, { signal }), closed])).trim();
  } finally {
    dialogue.close();
  }
}

/** The time that a command without a program has for its last output, in milliseconds. */
const grace = 500;

/** The maximum wait for the end of the service, in milliseconds. The service itself gives up after 30 s, unless it hangs. */
const longestStop = 35_000;

/** The first signal asks commands to end. The second signal ends everything at once. */
function onInterrupt(children: ReadonlySet<ChildProcess>): AbortController {
  const stopping = new AbortController();
  for (const name of signals)
    process.on(name, () => {
      if (stopping.signal.aborted) {
        for (const child of children) child.kill('SIGKILL');
        process.exit(130);
      }
      stopping.abort();
      if (children.size === 0) setTimeout(() => process.exit(130), grace).unref();
    });
  process.on('exit', () => {
    for (const child of children) askToEnd(child);
  });
  return stopping;
}

function startProgram(
  program: Program,
  args: readonly string[],
  { onLine, errors, env }: NonNullable<Parameters<World['startProgram']>[2]>,
  children: Set<ChildProcess>,
): RunningProgram {
  const [file, first] = commandOf(program);
  // Programs of npm packages are shell scripts on Windows. A path cannot contain a quote there, so quoting is enough.
  const isScript = program === 'powersync' && process.platform === 'win32';
  const words = [...first, ...args];
  const child = spawn(file, isScript ? words.map((word) => `"${word}"`) : words, {
    shell: isScript,
    // The channel closes when this process ends, even if it is killed, so the service notices.
    stdio: [
      'inherit',
      onLine ? 'pipe' : 'inherit',
      errors === undefined ? 'inherit' : errors === 'dropped' ? 'ignore' : 'pipe',
      ...(program === 'service' ? ['ipc' as const] : []),
    ],
    env: { ...(program === 'service' && memoryVariables), ...process.env, ...env },
    // The program is detached, because a Ctrl-C in the terminal would reach it twice otherwise: directly, and when we pass it on.
    detached: process.platform !== 'win32',
  });
  children.add(child);
  if (onLine && child.stdout) createInterface({ input: child.stdout }).on('line', onLine);
  if (typeof errors === 'function' && child.stderr)
    createInterface({ input: child.stderr }).on('line', errors);
  const ended = endOf(child).then(
    ({ code }) => code ?? 1,
    () => 127,
  );
  void ended.then(() => children.delete(child));
  return {
    ended,
    stop: () => {
      askToEnd(child);
      setTimeout(() => children.has(child) && child.kill('SIGKILL'), longestStop).unref();
    },
  };
}

function commandOf(program: Program): readonly [file: string, args: readonly string[]] {
  if (program === 'docker' || program === 'git' || program === 'powersync') return [program, []];
  const path = join(import.meta.dirname, `${program}.js`);
  return existsSync(path) && statSync(path).isFile() ? [process.execPath, [path]] : [path, []];
}
