/** Reads the binary messages of a replication stream. A view of bytes that are valid only while it is used. */
import { type Lsn, toLsn } from '../../lsn.ts';

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

/** Where Postgres begins to count time: 2000-01-01, in milliseconds since 1970. */
export const EPOCH = 946_684_800_000;

export function openWalReader(): WalReader {
  let bytes: Buffer = Buffer.alloc(0);
  let at = 0;
  const reader: WalReader = {
    open: (message) => {
      bytes = message;
      at = 0;
    },
    byte: () => {
      at += 1;
      return bytes[at - 1] as number;
    },
    int16: () => {
      at += 2;
      return bytes.readUInt16BE(at - 2);
    },
    int32: () => {
      at += 4;
      return bytes.readUInt32BE(at - 4);
    },
    lsn: () => {
      at += 8;
      return toLsn(bytes.readBigUInt64BE(at - 8));
    },
    time: () => {
      at += 8;
      return Number(bytes.readBigInt64BE(at - 8) / 1000n) + EPOCH;
    },
    string: () => {
      const end = bytes.indexOf(0, at);
      const text = bytes.toString('utf8', at, end);
      at = end + 1;
      return text;
    },
    text: (length) => {
      at += length;
      return bytes.toString('utf8', at - length, at);
    },
    skip: (length) => {
      at += length;
    },
  };
  return reader;
}
