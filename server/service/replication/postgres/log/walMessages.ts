/** Binary messages of a replication stream, read and written. */
import { type Lsn, positionOf, toLsn, zeroLsn } from '../../../ground/lsn.ts';
import { SourceFailure } from '../../source.ts';

/** Reads bytes that are valid only while it is used. */
export interface WalReader {
  byte(): number;
  int16(): number;
  int32(): number;
  lsn(): Lsn;
  /** Milliseconds since 1970; the source counts microseconds since 2000. */
  time(): number;
  /** Up to a zero. */
  string(): string;
  /** The text of so many bytes. */
  text(length: number): string;
  skip(length: number): void;
  /** Another message. */
  open(bytes: Buffer): void;
}

/** The epoch of Postgres, 2000-01-01, in milliseconds since 1970. */
const epoch = 946_684_800_000;

/** Fails with {@link unreadableMessage} where the message ends too early. */
export function openWalReader(): WalReader {
  let bytes: Buffer = Buffer.alloc(0);
  let at = 0;
  /** Returns the start of the next bytes, and moves on by their number. */
  const claim = (length: number): number => {
    const from = at;
    at += length;
    if (at > bytes.length) throw unreadableMessage('it ends too early');
    return from;
  };
  return {
    open: (message) => {
      bytes = message;
      at = 0;
    },
    byte: () => bytes[claim(1)] as number,
    int16: () => bytes.readUInt16BE(claim(2)),
    int32: () => bytes.readUInt32BE(claim(4)),
    lsn: () => toLsn(bytes.readBigUInt64BE(claim(8))),
    time: () => Number(bytes.readBigInt64BE(claim(8)) / 1000n) + epoch,
    string: () => {
      const end = bytes.indexOf(0, at);
      if (end === -1) throw unreadableMessage('a text in it does not end');
      const from = claim(end + 1 - at);
      return bytes.toString('utf8', from, end);
    },
    text: (length) => {
      const from = claim(length);
      return bytes.toString('utf8', from, at);
    },
    skip: (length) => {
      claim(length);
    },
  };
}

/** Nothing of such a message is used: a row that was read wrongly would be lost or false without a word. */
export function unreadableMessage(why: string): SourceFailure {
  return new SourceFailure('other', 'SVC_S1101', `The source sent a message that cannot be read: ${why}.`);
}

/** Reports the acknowledged position as written, flushed and applied. Zero leaves the source's own position as it is. */
export function statusUpdate(position: Lsn | undefined, now: number, wantsAnswer: boolean): Buffer {
  return update(Array<Lsn>(3).fill(position ?? zeroLsn), now, wantsAnswer);
}

/**
 * Returns the message that everything up to the position is written, but not flushed. It lets a server shut down, which waits until
 * all that it has sent is flushed, or at least written if the client never reports flushing. The server forgets nothing because of it.
 */
export function receivedUpdate(position: Lsn, now: number): Buffer {
  return update([position, zeroLsn, zeroLsn], now, false);
}

function update(positions: readonly Lsn[], now: number, wantsAnswer: boolean): Buffer {
  const body = Buffer.alloc(1 + 8 + 8 + 8 + 8 + 1);
  body.write('r');
  for (const [index, lsn] of positions.entries()) body.writeBigUInt64BE(positionOf(lsn), 1 + 8 * index);
  body.writeBigInt64BE(BigInt(now - epoch) * 1000n, 25);
  body.writeUInt8(wantsAnswer ? 1 : 0, 33);
  return frame('d', body);
}

/** The end of the copying, and of the connection. */
export function farewell(): Buffer {
  const nothing = Buffer.alloc(0);
  return Buffer.concat([frame('c', nothing), frame('X', nothing)]);
}

function frame(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
