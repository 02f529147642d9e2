/**
 * Runs on Windows and starts processes there for tests that run elsewhere. It listens on a port, because the standard output of the
 * first process under Wine must be a file, whereas the processes that it starts have pipes.
 *
 * A connection is for one process. Its first line is the order to start the process. Then follow lines of JSON in both directions;
 * if the order is `raw`, the input and output of the process follow instead.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOf } from '../../../client/project/childProcess.ts';
import { type ConsoleKey, keyProgram } from './consoleKeys.ts';
import type { AgentEvent, AgentOrder, StartOrder } from './orders.ts';

const server = createServer((socket) => {
  socket.on('error', () => {});
  let rest = '';
  const onData = (text: Buffer): void => {
    rest += text.toString('utf8');
    const end = rest.indexOf('\n');
    if (end === -1) return;
    socket.off('data', onData);
    start(JSON.parse(rest.slice(0, end)), socket, rest.slice(end + 1));
  };
  socket.on('data', onData);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify(server.address())}\n`);
});
// Keeps this process running until it is ended.
setInterval(() => {}, 1 << 30);

function start(order: StartOrder, socket: Socket, first: string): void {
  if (order.end === true) process.exit(0);
  const child = spawn(order.program ?? process.execPath, [...order.args], {
    cwd: order.cwd,
    env: { ...process.env, ...order.env },
    stdio: order.channel ? ['pipe', 'pipe', 'pipe', 'ipc'] : 'pipe',
    windowsHide: true,
  });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('A stream is missing.');
  stdin.on('error', () => {});
  if (order.raw) {
    stdin.write(first);
    socket.pipe(stdin);
    stdout.pipe(socket);
    child.once('close', () => socket.end());
    socket.once('close', () => child.kill());
    return;
  }
  const tell = (event: AgentEvent): void => void socket.write(`${JSON.stringify(event)}\n`);
  stdout.setEncoding('utf8').on('data', (text: string) => tell({ kind: 'out', text }));
  stderr.setEncoding('utf8').on('data', (text: string) => tell({ kind: 'err', text }));
  endOf(child).then(
    ({ code, signal }) => {
      tell({ kind: 'end', code, signal });
      socket.end();
    },
    (error: Error) => {
      tell({ kind: 'end', code: null, signal: error.message });
      socket.end();
    },
  );
  tell({ kind: 'begun', pid: child.pid ?? 0 });
  const obey = (order: AgentOrder): void => {
    if (order.kind === 'input') stdin.write(order.text);
    else if (order.kind === 'end of input') stdin.end();
    else if (order.kind === 'disconnect') child.disconnect();
    else if (order.kind === 'press') press(order.key, order.pid ?? child.pid ?? 0);
    else child.kill(order.signal);
  };
  let rest = '';
  const onText = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) obey(JSON.parse(line));
  };
  onText(first);
  socket.setEncoding('utf8').on('data', onText);
  socket.once('close', () => child.exitCode === null && child.kill());
}

/** Presses a key in the console of a process. Each process has its own console, which has no window. */
function press(key: ConsoleKey, pid: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-key-'));
  const program = join(folder, 'key.exe');
  writeFileSync(program, keyProgram(pid, key));
  const pressing = spawn(program, { stdio: 'ignore' });
  pressing.once('close', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
}
