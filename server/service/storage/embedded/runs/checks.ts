/**
 * Checksums of stored rows, because SQLite has none for its pages. A row that differs from the one that was written is never
 * used. The checksums of the protocol would cover only a PUT, and would take twenty times as long, because its text would have to
 * be parsed and hashed with SHA-256.
 */
import { crc32 } from 'node:zlib';
import type { Check, TextedRow } from './columns.ts';

/** Returns the checksum of a run and its text, as stored. */
export function checkOfRun(bucket: number, row: TextedRow): number {
  const [firstOp, lastOp, kind, checksum, count, target, heads, targets, json, zstd, size] = row;
  let check = mix(mix(mix(0, bucket), firstOp), lastOp);
  check = mix(mix(mix(mix(check, kind), checksum), count), target ?? 0);
  if (heads !== null) check = heads.length <= short ? mixBytes(check, heads) : crc32(heads, check);
  if (targets !== null) check = crc32(targets, check);
  return zstd === null ? crc32(json, check) : crc32(zstd, mix(check, size ?? 0));
}

export function checkOfRow(
  table: number,
  key: Uint8Array,
  lists: string | Uint8Array,
  values: Uint8Array | null,
): number {
  const start = mixBytes(mix(0, table), key);
  const isShort = typeof lists !== 'string' && lists.length <= short;
  const check = isShort ? mixBytes(start, lists) : crc32(lists, start);
  return values === null ? check : crc32(values, mix(check, values.length));
}

export function checkOfLookup(
  lookup: string,
  table: number,
  key: Uint8Array,
  opId: number,
  result: string,
): number {
  return crc32(result, crc32(lookup, mixBytes(mix(mix(0, table), opId), key)));
}

/** The number of bytes below which a call of crc32 takes longer than mixing the bytes. */
const short = 96;

/** An odd factor, so that multiplication loses no bits of the other factor. */
const factor = 0x9e3779b1;

/**
 * Mixes a number into a checksum. This is faster than a call of crc32, which costs as much as for a text of some hundred
 * characters.
 */
function mix(check: number, number: number): number {
  const high = Math.floor(number / 2 ** 32);
  return Math.imul(Math.imul(check ^ number, factor) ^ (check >>> 15) ^ high, factor) >>> 0;
}

function mixBytes(check: number, bytes: Uint8Array): number {
  let mixed = check;
  for (let at = 0; at < bytes.length; at += 1) mixed = Math.imul(mixed ^ (bytes[at] as number), factor);
  return mixed >>> 0;
}

/** Whether a row is as it was written, as far as the checksum shows. */
export function isSound(stored: Check, computed: number): boolean {
  return stored === null || stored === computed;
}
