/**
 * The connection from `headwater reset` to the process that is running in a folder: a socket that only this user can use. On
 * Windows it is a pipe, which any user can create, so the process that answers there has to prove that it can read this user's
 * files before it is asked for anything.
 */
import { createHash } from 'node:crypto';
import { realpathSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResetReply, Resets } from '../world.ts';
import { newQuestion, pipeSecret, prove } from './pipeSecret.ts';

interface ResetPlace {
  readonly address: string;
  /** Present only for a pipe. The owner of a socket is the owner of its file. */
  readonly secret?: string;
  /** Milliseconds in which a pipe has to prove whose it is. */
  readonly patience?: number;
}

const usualPatience = 5_000;

/** @param env of the process alone */
export function resetsIn(folder: string, env: Readonly<Record<string, string | undefined>>): Resets {
  let known: Promise<ResetPlace | undefined> | undefined;
  const at = async (): Promise<Resets | undefined> => {
    known ??= placeOf(trueFolder(folder), env);
    const place = await known;
    return place && resetsAt(place);
  };
  return {
    answer: async (restart) => (await at())?.answer(restart) ?? (() => {}),
    isAnswered: async () => (await at())?.isAnswered() ?? false,
    ask: async () => (await at())?.ask(),
  };
}

export function resetsAt(place: ResetPlace): Resets {
  return {
    answer: (restart) => answer(place, restart),
    isAnswered: async () => {
      const socket = await reach(place);
      socket?.destroy();
      return socket !== undefined;
    },
    ask: () => ask(place),
  };
}

/** Returns one name of the folder. It has several where case does not matter, and through links, drives and shares. */
function trueFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/** Short: a socket's name has about 100 characters at most. A pipe's cannot be guessed, so that nobody takes it before us. */
async function placeOf(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ResetPlace | undefined> {
  if (process.platform !== 'win32') {
    const name = createHash('sha256').update(folder).digest('hex').slice(0, 20);
    return { address: join(tmpdir(), `headwater-${name}-${user()}`) };
  }
  const secret = await pipeSecret(env);
  if (secret === undefined) return undefined;
  return { address: `\\\\.\\pipe\\headwater-${prove(secret, folder)}`, secret };
}

const request = 'restart';

async function answer(place: ResetPlace, restart: () => Promise<ResetReply>): Promise<() => void> {
  const { secret } = place;
  const asking = new Set<Socket>();
  const server = createServer((socket) => {
    asking.add(socket);
    // The caller may have gone.
    socket.on('error', () => {}).on('close', () => asking.delete(socket));
    onLines(socket, (line) => {
      if (line === request) void restart().then((reply) => socket.end(JSON.stringify(reply)));
      else if (secret !== undefined) socket.write(`${prove(secret, line)}\n`);
    });
  });
  if (!(await listen(server, place))) return () => {};
  return () => {
    server.close();
    for (const socket of asking) socket.destroy();
  };
}

/** Listens. Returns false if another process answers for this folder. The socket of a killed process is replaced. */
async function listen(server: Server, place: ResetPlace): Promise<boolean> {
  const { address } = place;
  if (await tryListen(server, address)) return true;
  if (await resetsAt(place).isAnswered()) return false;
  try {
    rmSync(address, { force: true });
  } catch {
    return false;
  }
  return tryListen(server, address);
}

function tryListen(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false)).once('listening', () => resolve(true));
    // The socket is made before `listen` returns, and must be nobody else's to use.
    const before = process.umask(0o077);
    server.listen(address);
    process.umask(before);
  });
}

/** Returns undefined if nobody answers, or another user. */
function reach({ address, secret, patience = usualPatience }: ResetPlace): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    if (secret === undefined && !isOurs(address)) return resolve(undefined);
    const socket = connect(address);
    socket.on('error', () => {}).once('close', () => resolve(undefined));
    if (secret === undefined) {
      socket.once('connect', () => resolve(socket));
      return;
    }
    const question = newQuestion();
    socket.setTimeout(patience, () => socket.destroy()).write(`${question}\n`);
    onLines(socket, (line) => {
      if (line !== prove(secret, question)) return void socket.destroy();
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

async function ask(place: ResetPlace): Promise<ResetReply | undefined> {
  const socket = await reach(place);
  if (socket === undefined) return undefined;
  let reply = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    reply += text;
  });
  socket.write(`${request}\n`);
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  // Empty if who was asked has ended without a word.
  return reply === '' ? {} : (JSON.parse(reply) as ResetReply);
}

function onLines(socket: Socket, take: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

/** Nothing is sent to a socket that another user has created. */
function isOurs(address: string): boolean {
  return statSync(address, { throwIfNoEntry: false })?.uid === user();
}

/** A number: in a container, it may have no name. */
function user(): number | undefined {
  return process.getuid?.();
}
