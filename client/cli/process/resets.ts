/** How `headwater reset` reaches what runs in a folder: by a socket that only this user can use, named after the folder. */
import { createHash } from 'node:crypto';
import { realpathSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResetReply, Resets } from '../world.ts';

export function resetsIn(folder: string): Resets {
  const address = addressOf(trueFolder(folder));
  return {
    answer: (restart) => answer(address, restart),
    isAnswered: async () => isOurs(address) && (await isAnswered(address)),
    ask: () => ask(address),
  };
}

/** One folder has several names where case does not matter, and through links, drives and shares. */
function trueFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/** Short: a socket's name has about 100 characters at most. */
function addressOf(folder: string): string {
  const name = `headwater-${createHash('sha256').update(folder).digest('hex').slice(0, 20)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}-${user()}`);
}

async function answer(address: string, restart: () => Promise<ResetReply>): Promise<() => void> {
  const asking = new Set<Socket>();
  const server = createServer((socket) => {
    asking.add(socket);
    // Who asked may have gone.
    socket.on('error', () => {}).on('close', () => asking.delete(socket));
    socket.once('data', () => void restart().then((reply) => socket.end(JSON.stringify(reply))));
  });
  if (!(await listen(server, address))) return () => {};
  return () => {
    server.close();
    for (const socket of asking) socket.destroy();
  };
}

/** False if somebody else answers for this folder. What was killed leaves its socket behind, which is replaced. */
async function listen(server: Server, address: string): Promise<boolean> {
  if (await tryListen(server, address)) return true;
  if (await isAnswered(address)) return false;
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

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function ask(address: string): Promise<ResetReply | undefined> {
  return new Promise((resolve) => {
    if (!isOurs(address)) return resolve(undefined);
    let reply: string | undefined;
    const socket = connect(address, () => {
      reply = '';
      socket.write('restart\n');
    });
    socket.setEncoding('utf8').on('data', (text: string) => {
      reply += text;
    });
    socket.on('error', () => {}).once('close', () => resolve(readReply(reply)));
  });
}

/** Undefined if nobody was there; empty if who was asked has ended without a word. */
function readReply(reply: string | undefined): ResetReply | undefined {
  return reply ? (JSON.parse(reply) as ResetReply) : reply === '' ? {} : undefined;
}

/** Nothing is told to what another user has put there. */
function isOurs(address: string): boolean {
  if (process.platform === 'win32') return true;
  return statSync(address, { throwIfNoEntry: false })?.uid === user();
}

/** A number: in a container, it may have no name. */
function user(): number | undefined {
  return process.getuid?.();
}
