/**
 * Packs the memberships and the lookups of a row into bytes. A bucket is represented by its number, and a UUID by 16 bytes. The
 * result has at most a third of the size of the JSON that earlier versions wrote.
 *
 * - A number consists of bytes with 7 bits each, the low bits first. The highest bit of a byte is set if another one follows.
 * - The first number is the number of memberships.
 * - A membership begins with twice the number of its bucket. 1 is added if its type and id are those of the previous one;
 *   otherwise, they follow.
 * - A text begins with a number: {@link uuidMark}, {@link utf16Mark}, or the size of its UTF-8 form plus {@link marks}.
 */
import type { CurrentRow, Membership } from '../../storage.ts';
import { bytesOfUuid, keyOfBytes } from '../rowKeys.ts';
import { withRoom } from '../runs/room.ts';

type RowLists = Pick<CurrentRow, 'memberships' | 'lookups'>;

const uuidMark = 0;
/** The number of code units and the units follow. It is needed for unpaired surrogates, which UTF-8 cannot represent. */
const utf16Mark = 1;
const marks = 2;

const smallest = 4_096;
let bytes: Buffer = Buffer.alloc(smallest);
let at = 0;

/** Returns bytes that are valid until the next call. That is enough, because a statement copies its parameters. */
export function packLists({ memberships, lookups }: RowLists, numberOf: (bucket: string) => number): Buffer {
  if (bytes.length > 16 * smallest) bytes = Buffer.alloc(smallest);
  at = 0;
  addNumber(memberships.length);
  let before: Membership | undefined;
  for (const membership of memberships) {
    const { bucket, type, id } = membership;
    const isLikeBefore = before !== undefined && before.id === id && before.type === type;
    addNumber(2 * numberOf(bucket) + (isLikeBefore ? 1 : 0));
    if (!isLikeBefore) {
      addText(type);
      addText(id);
    }
    before = membership;
  }
  for (const lookup of lookups) addText(lookup);
  return bytes.subarray(0, at);
}

export function unpackLists(packed: Uint8Array, nameOf: (bucket: number) => string): RowLists {
  const cursor: Cursor = { from: Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength), at: 0 };
  const memberships: Membership[] = [];
  const count = numberAt(cursor);
  let type = '';
  let id = '';
  for (let index = 0; index < count; index += 1) {
    const head = numberAt(cursor);
    if (head % 2 === 0) {
      type = textAt(cursor);
      id = textAt(cursor);
    }
    memberships.push({ bucket: nameOf(Math.floor(head / 2)), type, id });
  }
  const lookups: string[] = [];
  while (cursor.at < packed.length) lookups.push(textAt(cursor));
  return { memberships, lookups };
}

function addNumber(number: number): void {
  makeRoom(8);
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) {
    bytes[at] = (rest % 128) + 128;
    at += 1;
  }
  bytes[at] = rest;
  at += 1;
}

function addText(text: string): void {
  makeRoom(1 + 16);
  if (bytesOfUuid(text, bytes, at + 1)) {
    bytes[at] = uuidMark;
    at += 1 + 16;
    return;
  }
  const size = Buffer.byteLength(text);
  if (size !== text.length && /\p{Surrogate}/u.test(text)) {
    addNumber(utf16Mark);
    addNumber(text.length);
    makeRoom(2 * text.length);
    at += bytes.write(text, at, 'utf16le');
    return;
  }
  addNumber(size + marks);
  makeRoom(size);
  at += bytes.write(text, at);
}

function makeRoom(size: number): void {
  bytes = withRoom(bytes, at, size);
}

interface Cursor {
  readonly from: Buffer;
  at: number;
}

function numberAt(cursor: Cursor): number {
  let number = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = cursor.from[cursor.at] as number;
    cursor.at += 1;
    if (!(byte >= 128)) return number + byte * factor;
    number += (byte - 128) * factor;
  }
}

function textAt(cursor: Cursor): string {
  const mark = numberAt(cursor);
  if (mark === uuidMark) return keyOfBytes(take(cursor, 16));
  if (mark === utf16Mark) return take(cursor, 2 * numberAt(cursor)).toString('utf16le');
  return take(cursor, mark - marks).toString();
}

function take(cursor: Cursor, size: number): Buffer {
  cursor.at += size;
  return cursor.from.subarray(cursor.at - size, cursor.at);
}
