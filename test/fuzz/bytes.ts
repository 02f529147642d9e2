/** Random changes that can be made to any bytes. */
import type { Random } from '../differential/random.ts';

/** Numbers at the limits of integer types, where programs often fail. */
export const edges: readonly number[] = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
];

/** Returns the input with one random change. */
export function changeBytes(input: Buffer, random: Random): Buffer {
  const at = random.int(input.length + 1);
  const length = Math.min(random.int(16), input.length - at);
  const change = random.choose<() => Buffer>([
    [3, () => () => flip(input, random)],
    [2, () => () => Buffer.concat([input.subarray(0, at), input.subarray(at + length)])],
    [
      2,
      () => () => Buffer.concat([input.subarray(0, at), input.subarray(at, at + length), input.subarray(at)]),
    ],
    [2, () => () => Buffer.concat([input.subarray(0, at), randomBytes(random), input.subarray(at)])],
    [1, () => () => input.subarray(0, at)],
    [2, () => () => setNumber(input, random)],
  ]);
  return change();
}

function flip(input: Buffer, random: Random): Buffer {
  const copy = Buffer.from(input);
  const at = random.int(copy.length);
  if (copy.length > 0) copy[at] = (copy[at] ?? 0) ^ (1 << random.int(8));
  return copy;
}

function setNumber(input: Buffer, random: Random): Buffer {
  const copy = Buffer.from(input);
  if (copy.length < 4) return copy;
  const at = random.int(copy.length - 3);
  const value = random.pick(edges);
  if (random.chance(0.5)) copy.writeUInt32BE(value, at);
  else copy.writeUInt32LE(value, at);
  return copy;
}

function randomBytes(random: Random): Buffer {
  return Buffer.from(random.times(1, 8, () => random.int(256)));
}
