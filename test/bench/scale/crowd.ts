/**
 * Thousands of clients in one process that cost little beside what they measure: sockets that read into one buffer that
 * all of them share, and look for some bytes in it.
 */
import { connect, type Socket } from 'node:net';

export interface Crowd {
  /** Resolves when all have received the text; in milliseconds after the call, one for each client. */
  saw(text: string): Promise<readonly number[]>;
  readonly bytes: () => number;
  close(): Promise<void>;
}

/** Connecting at once: more would be connections that wait in the system's queue. */
const atOnce = 200;
const sharedBuffer = Buffer.allocUnsafeSlow(256 * 1024);

interface Member {
  readonly socket: Socket;
  /** The end of what came last, where it was not the end of a line. */
  rest: string;
  hasSeen: boolean;
}

interface Search {
  readonly text: string;
  readonly bytes: Buffer;
  readonly start: number;
  readonly times: number[];
  readonly done: (times: readonly number[]) => void;
}

/** @param requests what each of them sends; connected when the first text has come to all of them */
export async function connectCrowd(
  port: number,
  requests: readonly string[],
  firstText: string,
): Promise<Crowd> {
  const members: Member[] = [];
  let search: Search | undefined;
  let received = 0;

  const receive = (member: Member, bytes: Buffer): void => {
    received += bytes.length;
    if (search === undefined || member.hasSeen) return;
    const isWhole = bytes.at(-1) === lineEnd;
    const found = bytes.includes(search.bytes) || (member.rest !== '' && isAcross(member, bytes, search));
    member.rest = isWhole || found ? '' : bytes.toString('latin1', Math.max(0, bytes.length - longestText));
    if (!found) return;
    member.hasSeen = true;
    search.times.push(performance.now() - search.start);
    if (search.times.length < requests.length) return;
    const { done, times } = search;
    search = undefined;
    done(times);
  };
  const saw = (text: string): Promise<readonly number[]> =>
    new Promise((done) => {
      for (const member of members) member.hasSeen = false;
      search = { text, bytes: Buffer.from(text), start: performance.now(), times: [], done };
    });
  const open = (request: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({
        port,
        host: '127.0.0.1',
        onread: {
          buffer: sharedBuffer,
          callback: (count, buffer) => {
            receive(member, Buffer.from(buffer.buffer, buffer.byteOffset, count));
            return true;
          },
        },
      });
      const member: Member = { socket, rest: '', hasSeen: false };
      members.push(member);
      socket.setNoDelay(true);
      socket.once('connect', () => {
        socket.write(request);
        resolve();
      });
      socket.on('error', reject);
    });

  const first = saw(firstText);
  for (let from = 0; from < requests.length; from += atOnce)
    await Promise.all(requests.slice(from, from + atOnce).map(open));
  await first;
  return {
    saw,
    bytes: () => received,
    close: () =>
      Promise.all(
        members.map(({ socket }) => new Promise((gone) => socket.once('close', gone).destroy())),
      ).then(() => undefined),
  };
}

const lineEnd = '\n'.charCodeAt(0);
const longestText = 100;

function isAcross({ rest }: Member, bytes: Buffer, { text }: Search): boolean {
  return (rest + bytes.toString('latin1', 0, longestText)).includes(text);
}
