/** The interface of all attacks, and the steps that several of them share. */
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';

export interface Attack {
  readonly run: (target: Target, attacking: Attacking) => Promise<void>;
  /** The number of attempts that is enough to show the effect of the attack. */
  readonly enough: number;
  readonly needs?: Needs;
}

/** The differences from the usual service. */
export interface Needs {
  /** Hard limit of the service's file handles. */
  readonly handles?: number;
  /** The number of clients with a token that the attack also connects. */
  readonly clients?: number;
  /** The service's clock is set by the content of {@link Target.clock}. */
  readonly clock?: true;
  /** The probe uses the port of the metrics, because the attack fills the system's queue of the main port. */
  readonly fillsQueue?: true;
}

export interface Target {
  readonly port: number;
  readonly seed: number;
  /** The number of clients that are connected during an attack that needs them. */
  readonly clients: number;
  /** The number of sockets at the same time, for attacks that need very many. */
  readonly sockets: number;
  /** The file with the milliseconds by which the service's clock is ahead. */
  readonly clock: string;
}

export interface Attacking {
  readonly signal: AbortSignal;
  /** Starts the judgement of probes. Called when the clients that the attack needs are connected. */
  begin(): void;
  /** Counts an attempt that has ended. */
  count(): void;
  /** Reports something that the service must not do. */
  complain(complaint: string): void;
}

/** Makes one attempt. */
export type Attempt = () => Promise<void>;

/** Makes this many attempts at once, and starts each of them again when it ends, until the attack is stopped. */
export async function crowd(size: number, attacking: Attacking, attempt: Attempt): Promise<void> {
  const one = async (): Promise<void> => {
    while (!attacking.signal.aborted) {
      await attempt().catch(() => undefined);
      attacking.count();
      await pause(5);
    }
  };
  await Promise.all(Array.from({ length: size }, one));
}

export function get(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
}

export function post(path: string, body: string, token?: string): string {
  return `${postHead(path, token)}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Returns the beginning of a request, without the length of the body and the empty line. */
export function postHead(path: string, token?: string): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: application/json\r\n`;
}

export function openSocket({ port }: Pick<Target, 'port'>, bytes: string | Buffer): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  if (bytes.length > 0) socket.write(bytes);
  return socket;
}

export async function openWebSocket({ port }: Pick<Target, 'port'>): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/sync/stream`);
  socket.on('error', () => undefined);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('close', reject));
  return socket;
}

/** Sends the bytes, waits for the first part of the answer, and closes the socket. */
export async function exchange(target: Target, bytes: string | Buffer, { signal }: Attacking): Promise<void> {
  const socket = openSocket(target, bytes);
  await Promise.race([
    new Promise((resolve) => socket.once('data', resolve).once('close', resolve)),
    aborted(signal),
    pause(30_000),
  ]);
  socket.destroy();
}

/** Calls `act` every second until the service closes the socket. */
export async function holdOpen(
  socket: Socket,
  { signal }: Attacking,
  act: (socket: Socket) => void = () => undefined,
): Promise<void> {
  const timer = setInterval(() => act(socket), 1_000);
  if (!socket.isPaused()) socket.resume();
  await Promise.race([closeOf(socket), aborted(signal)]);
  clearInterval(timer);
  socket.destroy();
}

/** Sends the same bytes as fast as the service takes them, and reads nothing, until the socket is closed. */
export async function flood(socket: Socket, bytes: Buffer, { signal }: Attacking): Promise<void> {
  socket.pause();
  const end = Promise.race([closeOf(socket), aborted(signal)]);
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  while (!isOver) {
    if (!socket.write(bytes))
      await Promise.race([end, new Promise((resolve) => socket.once('drain', resolve))]);
    await pause(0);
  }
  socket.destroy();
}

export function closeOf(socket: Socket | WebSocket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

export async function outcome(
  event: Promise<unknown>,
  ms: number,
  { signal }: Pick<Attacking, 'signal'>,
): Promise<'happened' | 'late' | 'over'> {
  return Promise.race([
    event.then(() => 'happened' as const),
    aborted(signal).then(() => 'over' as const),
    pause(ms).then(() => 'late' as const),
  ]);
}

/** Returns the number of sockets that this process may open in addition to its other files, which are a few hundred. */
export function mostSockets(): number {
  if (!existsSync('/proc/self/limits')) return 3_000;
  const [, most = '0'] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(most) - 500;
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
