/**
 * The connection from `headwater reset` to the process that is running in a folder: a socket that only this user can use. On
 * Windows it is a pipe, which any user can create, so the process that answers there has to prove that it can read this user's
 * files before it receives a request.
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
  /** Present only for a pipe, because the owner of a socket is known from its file. */
  readonly secret?: string;
  /** The time in which a pipe has to prove its owner, in milliseconds. */
  readonly patience?: number;
}

const usualPatience = 5_000;

/** @param env only the variables of the process */
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

/** Returns a unique name of the folder. A folder can have several names because of case, links, drives and network shares. */
function trueFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/**
 * Returns the place. The name of a socket is short, because about 100 characters are allowed. The name of a pipe cannot be
 * guessed, so that no other user can take it first.
 */
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

/** Starts to listen. Returns false if another process answers for this folder. Replaces the socket of a killed process. */
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
    // The socket is created before `listen` returns, and no other user may use it.
    const before = process.umask(0o077);
    server.listen(address);
    process.umask(before);
  });
}

/** Connects to the process. Returns undefined if no process answers, or only a process of another user. */
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
  // The reply is empty if the process has ended without an answer.
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

/** Whether this user has created the socket. Nothing is sent to any other socket. */
function isOurs(address: string): boolean {
  return statSync(address, { throwIfNoEntry: false })?.uid === user();
}

/** Returns the number of the user, because a user in a container may have no name. */
function user(): number | undefined {
  return process.getuid?.();
}
