/** What is said to the source on a replication connection. */
import { type Lsn, positionOf } from '../../../ground/lsn.ts';
import { EPOCH } from './walReader.ts';

/** Written, flushed and applied are one: what was acknowledged. Zero leaves the source's own position as it is. */
export function statusUpdate(position: Lsn | undefined, now: number, wantsAnswer: boolean): Buffer {
  const body = Buffer.alloc(1 + 8 + 8 + 8 + 8 + 1);
  body.write('r');
  const lsn = position === undefined ? 0n : positionOf(position);
  for (const at of [1, 9, 17]) body.writeBigUInt64BE(lsn, at);
  body.writeBigInt64BE(BigInt(now - EPOCH) * 1000n, 25);
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
