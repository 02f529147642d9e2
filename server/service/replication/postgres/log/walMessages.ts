/** Reads and writes binary messages of a replication stream. */
import { firstPosition, type LogPosition } from '../../../ground/logPosition.ts';
import { SourceFailure } from '../../source.ts';
import { numberOf, toLsn } from '../lsn.ts';

/** Reads bytes, which are valid only during the call. */
export interface WalReader {
  byte(): number;
  int16(): number;
  int32(): number;
  lsn(): LogPosition;
  /** Returns milliseconds since 1970. The source counts microseconds since 2000. */
  time(): number;
  /** Reads up to a zero byte. */
  string(): string;
  /** Reads a text of this number of bytes. */
  text(length: number): string;
  skip(length: number): void;
  /** Begins to read another message. */
  open(bytes: Buffer): void;
}

/** The epoch of PostgreSQL, 2000-01-01, in milliseconds since 1970. */
const epoch = 946_684_800_000;

/** Throws {@link unreadableMessage} if the message ends too early. */
export function openWalReader(): WalReader {
  let bytes: Buffer = Buffer.alloc(0);
  let at = 0;
  /** Returns the start of the next bytes, and moves past them. */
  const claim = (length: number): number => {
    const from = at;
    at += length;
    if (at > bytes.length) throw unreadableMessage('it is truncated');
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
      if (end === -1) throw unreadableMessage('a string in it is not terminated');
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

/**
 * Returns the failure for a message that cannot be read. No part of it is used, because a row that was read wrongly would
 * silently be lost or wrong.
 */
export function unreadableMessage(why: string): SourceFailure {
  return new SourceFailure('other', 'SVC_S1101', `The source sent a message that cannot be read: ${why}.`);
}

/** Reports the acknowledged position as written, flushed and applied. Zero keeps the source's own position. */
export function statusUpdate(position: LogPosition | undefined, now: number, wantsAnswer: boolean): Buffer {
  return update(Array<LogPosition>(3).fill(position ?? firstPosition), now, wantsAnswer);
}

/**
 * Returns a message that everything up to the position is written, but not flushed. It lets a server shut down, which waits until
 * everything that it has sent is flushed, or at least written if the client never reports flushing. The server drops nothing
 * because of this message.
 */
export function receivedUpdate(position: LogPosition, now: number): Buffer {
  return update([position, firstPosition, firstPosition], now, false);
}

function update(positions: readonly LogPosition[], now: number, wantsAnswer: boolean): Buffer {
  const body = Buffer.alloc(1 + 8 + 8 + 8 + 8 + 1);
  body.write('r');
  for (const [index, lsn] of positions.entries()) body.writeBigUInt64BE(numberOf(lsn), 1 + 8 * index);
  body.writeBigInt64BE(BigInt(now - epoch) * 1000n, 25);
  body.writeUInt8(wantsAnswer ? 1 : 0, 33);
  return frame('d', body);
}

/** Returns the messages that end the copy mode and the connection. */
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
