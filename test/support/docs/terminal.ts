/**
 * A terminal in which tests run the commands of a page. Its folder is empty, or like a clone of the repository with the built
 * programs. It has the command `headwater`.
 */
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { run, startGroup, stopGroup } from '../../../scripts/rigs/process.ts';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import { root } from '../../../scripts/root.ts';
import { patient } from '../../../scripts/run/patience.ts';
import { freePort } from '../processes/freePort.ts';
import { hasShown } from './shown.ts';

export type Place = 'an empty folder' | 'a clone';

export interface Terminal {
  readonly folder: string;
  readonly write: (path: string, text: string) => void;
  /** Runs a command to its end, and returns its output on both streams. */
  readonly run: (command: string) => Promise<{ readonly code: number | null; readonly output: string }>;
  /** Starts a command in the background, and resolves when it has shown these lines. */
  readonly start: (command: string, shown: readonly string[]) => Promise<void>;
  /** Resolves when a running command has shown these lines since the last call. */
  readonly untilShown: (shown: readonly string[]) => Promise<void>;
  /** Returns an address of the page with the port that is used instead. */
  readonly reach: (address: string) => string;
  /** Asks all running commands to end, as Ctrl-C does, and resolves when they have ended. */
  readonly interrupt: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How long a terminal waits for the end or the output of a command, in milliseconds. */
export const patience = patient(90_000);

/** The ports that pages name. Tests use other ports, because these may be in use. */
const ports = [8080, 8081, 5499, 6060, 5173, 4173] as const;

/** The file that keeps the current folder and the variables of a session between two commands. */
const state = '.session';

export async function openTerminal(place: Place): Promise<Terminal> {
  const folder = layOut(place);
  const free = await Promise.all(ports.map(async (port) => [port, await freePort()] as const));
  const toReal = (text: string) => replacePorts(text, free);
  const toPage = (text: string) =>
    replacePorts(
      text,
      free.map(([page, real]) => [real, page] as const),
    );
  const running: Running[] = [];
  const env = {
    PATH: [join(folder, '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    NO_COLOR: '1',
    npm_config_offline: 'true',
  };
  const options = { cwd: folder, env };
  const scriptOf = (command: string) => `cd "${folder}"; . ./${state}\n${toReal(withCopies(command))}\n`;
  /** Replaces the ports of the page in the files of the examples, and in files that a command has written. */
  const settle = (): void => {
    for (const path of globSync('**/*.{yaml,mjs}', {
      cwd: folder,
      exclude: ['**/node_modules', '**/dist'],
    })) {
      const text = readFileSync(join(folder, path), 'utf8');
      const settled = toReal(asOnPage(text));
      // A server that watches its config file starts again even if the new text is the same.
      if (settled !== text) writeFileSync(join(folder, path), settled);
    }
  };

  async function untilShown(shown: readonly string[], which = running): Promise<void> {
    const deadline = performance.now() + patience;
    while (true) {
      const done = which.find((each) => hasShown(shown, toPage(each.output.slice(each.read))));
      if (done !== undefined) {
        done.read = done.output.length;
        return;
      }
      const left = deadline - performance.now();
      const ended = which.every(({ child }) => child.exitCode !== null);
      if (left < 0 || ended)
        throw new Error(
          `It does not show:\n${shown.join('\n')}\nbut:\n${which.map(({ output }) => toPage(output)).join('\n')}`,
        );
      await Promise.race([...which.map(nextOutput), pause(left)]);
    }
  }

  return {
    folder,
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), toReal(text));
    },
    run: async (command) => {
      const script = `${scriptOf(command)}code=$?; { export -p; echo "cd '$PWD'"; } > "${folder}/${state}"; exit $code`;
      const { code, output } = await run('bash', ['-c', script], { ...options, timeoutMs: patience });
      settle();
      return { code, output: toPage(output) };
    },
    start: async (command, shown) => {
      const child = startGroup('bash', ['-c', scriptOf(command)], {
        ...options,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const started: Running = { child, output: '', read: 0 };
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          started.output += text;
        });
      running.push(started);
      await untilShown(shown, [started]);
    },
    untilShown,
    reach: toReal,
    interrupt: async () => {
      await Promise.all(running.splice(0).map(({ child }) => stopGroup(child)));
    },
    close: async () => {
      await Promise.all(running.map(({ child }) => stopGroup(child)));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Restores the ports of the page, because `headwater init` writes another port if the usual one is in use on this machine. */
function asOnPage(text: string): string {
  return text
    .replace(/^port: 80[89]\d$/m, 'port: 8080')
    .replace(/^( {6}port: )5[45]\d\d$/m, (_, key: string) => `${key}5499`);
}

interface Running {
  readonly child: ChildProcess;
  output: string;
  /** The length of the output that former steps have matched. */
  read: number;
}

/** Replaces the registry of packages, which no test may need. */
function withCopies(command: string): string {
  const copy = `node --disable-warning=MODULE_TYPELESS_PACKAGE_JSON ${join(import.meta.dirname, 'installCopies.ts')}`;
  return command.replace(/^npm install(?=(?: @?[a-z][\w/-]*)+$)/, copy);
}

function layOut(place: Place): string {
  const folder = temporaryFolder('docs');
  if (place === 'a clone') {
    for (const name of ['dist', 'node_modules']) symlinkSync(join(root, name), join(folder, name));
    for (const name of ['examples', 'package.json'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const name of globSync('headwater-cli-*.tgz', { cwd: root }))
    copyFileSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, '.bin'));
  const program = join(folder, '.bin/headwater');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/cli.js')}' "$@"\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(folder, state), '');
  return folder;
}

function replacePorts(text: string, pairs: readonly (readonly [number, number])[]): string {
  return pairs.reduce(
    (all, [from, to]) => all.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), String(to)),
    text,
  );
}

function nextOutput({ child }: Running): Promise<void> {
  return new Promise((resolve) => {
    child.stdout?.once('data', () => setImmediate(resolve));
    child.stderr?.once('data', () => setImmediate(resolve));
    child.once('exit', () => setImmediate(resolve));
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)).unref());
}
