/** A Windows machine for tests: this machine, or Wine. In Wine, the drive Z: is the disk of this machine. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../../scripts/root.ts';
import { patient } from '../../../scripts/run/patience.ts';
import { installWine } from '../../../scripts/windows/wine.ts';
import type { AgentEvent, AgentOrder, StartOrder } from './orders.ts';

interface RunEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface WindowsProcess {
  readonly pid: Promise<number>;
  out(): string;
  err(): string;
  /** Resolves when the output of either stream matches. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  send(order: AgentOrder): void;
  readonly ended: Promise<RunEnd>;
}

export interface Windows {
  start(order: StartOrder): WindowsProcess;
  run(order: StartOrder & { readonly input?: string }): Promise<RunEnd>;
  /** Starts a program, and returns a socket that is connected to its standard streams. */
  connect(order: StartOrder): Promise<Socket>;
}

export const isWindows = process.platform === 'win32';

/** The time limit for an answer, in milliseconds. */
const patience = patient(90_000);
const goodbye = patient(20_000);

export interface WindowsMachine {
  /** The port on which the agent listens. */
  readonly port: number;
  /** The folder in which Wine keeps drive letters and shares as links. */
  readonly devices?: string;
  close(): Promise<void>;
}

export async function startWindows(): Promise<WindowsMachine> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-windows-'));
  const [out, err] = [join(folder, 'out'), join(folder, 'err')];
  const wine = isWindows ? undefined : await installWine();
  if (wine?.kind === 'missing') throw new Error(`${wine.what}. ${wine.fix}`);
  const agent = windowsPath(join(root, 'test/support/windows/agent.ts'));
  const env = { ...process.env, ...wine?.env, NODE_OPTIONS: nodeOptions(wine !== undefined) };
  const [program, args] =
    wine === undefined ? [process.execPath, [agent]] : [wine.program, [wine.node, agent]];
  const child = spawn(program, args, { stdio: ['ignore', openSync(out, 'w'), openSync(err, 'w')], env });
  const port = await portIn(out, err, child);
  return {
    port,
    ...(wine && { devices: join(wine.env.WINEPREFIX ?? '', 'dosdevices') }),
    async close() {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const asked = reach(port, { args: [], end: true }).then(() => ended);
      // Wine itself may hang.
      await Promise.race([asked.catch(() => undefined), sleep(goodbye, undefined, { ref: false })]);
      child.kill('SIGKILL');
      if (wine !== undefined) endWine(env);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the end of Wine's own processes, and then kills those that remain: a console without a window never ends. */
function endWine(env: NodeJS.ProcessEnv): void {
  const { status } = spawnSync('wineserver', ['-w'], { env, timeout: patient(10_000) });
  if (status !== 0) spawnSync('wineserver', ['-k', '-w'], { env, timeout: patient(20_000) });
}

/** Returns the options for all Node processes on the machine. */
function nodeOptions(isWine: boolean): string {
  const preload = windowsPath(join(root, 'test/support/windows/wine.mjs')).replaceAll('\\', '/');
  return [
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
    ...(isWine ? [`--import "file:///${preload}"`] : []),
  ].join(' ');
}

/** Returns a path of this machine in the notation of Windows. */
export function windowsPath(path: string): string {
  return isWindows ? path : `Z:${path.replaceAll('/', '\\')}`;
}

export function windowsAt(port: number): Windows {
  const start = (order: StartOrder): WindowsProcess => follow(reach(port, order));
  return {
    start,
    connect: (order) => reach(port, { ...order, raw: true }),
    async run({ input, ...order }) {
      const started = start(order);
      if (input !== undefined) started.send({ kind: 'input', text: input });
      started.send({ kind: 'end of input' });
      return started.ended;
    },
  };
}

async function reach(port: number, order: StartOrder): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.write(`${JSON.stringify(order)}\n`);
  return socket;
}

async function portIn(out: string, err: string, child: ChildProcess): Promise<number> {
  for (let waited = 0; waited < patience; waited += 50) {
    const text = readFileSync(out, 'utf8');
    if (text.endsWith('\n')) return (JSON.parse(text) as { readonly port: number }).port;
    if (child.exitCode !== null) break;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`Node does not start on Windows:\n${readFileSync(err, 'utf8')}`);
}

function follow(reached: Promise<Socket>): WindowsProcess {
  const text = { out: '', err: '' };
  const listeners = new Set<() => void>();
  let begun = (_: number): void => {};
  const pid = new Promise<number>((resolve) => {
    begun = resolve;
  });
  const ended = new Promise<RunEnd>((resolve, reject) => {
    let rest = '';
    const take = (event: AgentEvent): void => {
      if (event.kind === 'begun') begun(event.pid);
      else if (event.kind === 'end') resolve({ code: event.code, ...text });
      else text[event.kind] += event.text;
      for (const listener of listeners) listener();
    };
    reached.then((socket) => {
      socket.setEncoding('utf8').on('data', (more: string) => {
        const lines = (rest + more).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) take(JSON.parse(line));
      });
      socket.once('close', () => resolve({ code: null, ...text }));
    }, reject);
  });
  return {
    pid,
    out: () => text.out,
    err: () => text.err,
    shows(pattern) {
      return new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`${pattern} ${why}:\n${text.out}\n${text.err}`));
        const timer = setTimeout(() => fail('does not come'), patience);
        const look = (): void => {
          const found = pattern.exec(text.out) ?? pattern.exec(text.err);
          if (found === null) return;
          clearTimeout(timer);
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
        void ended.then(() => setImmediate(() => listeners.has(look) && fail('did not come before the end')));
      });
    },
    send: (order) => void reached.then((socket) => socket.write(`${JSON.stringify(order)}\n`)),
    ended,
  };
}
