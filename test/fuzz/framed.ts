/** Several messages in one input, each after its length. */
import type { Random } from '../differential/random.ts';
import { changeBytes } from './bytes.ts';

/** The limit of one message, in bytes. */
const mostBytes = 64 * 1024;
const mostMessages = 60;

export function toFramed(messages: readonly Buffer[]): Buffer {
  return Buffer.concat(messages.flatMap((message) => [lengthOf(message), message]));
}

/** Returns the messages. A message that is cut off, or whose length exceeds the input, is the last one. */
export function fromFramed(input: Buffer): readonly Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at + 4 <= input.length; ) {
    const length = Math.min(input.readUInt32BE(at), mostBytes);
    messages.push(input.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return messages;
}

function lengthOf(message: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(message.length);
  return bytes;
}

/** Removes, repeats, moves, inserts or changes one message, or removes all messages after it. */
export function changeFramed(input: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  const messages = [...fromFramed(input)];
  const at = random.int(messages.length);
  const one = messages[at] ?? Buffer.alloc(0);
  const another = (): Buffer => random.pick([...fromFramed(random.pick(others)), one]);
  const change = random.choose<() => void>([
    [6, () => () => void messages.splice(at, 1, changeBytes(one, random))],
    [1, () => () => void messages.splice(at, 1)],
    [1, () => () => void messages.splice(at, 0, one)],
    [1, () => () => void messages.splice(random.int(messages.length), 0, ...messages.splice(at, 1))],
    [1, () => () => void messages.splice(at, 0, another())],
    [1, () => () => void messages.splice(at + 1)],
  ]);
  change();
  return toFramed(messages.slice(0, mostMessages));
}
