/**
 * Keys for rows of the source: a UUID (version 5) of the values of their identity columns, so that a change can find the data
 * that an earlier change of the row has stored. The hash is that of a BSON document of these columns, in which integers have 64
 * bits, as in the reference service.
 */
import { hash, randomUUID } from 'node:crypto';
import type { Row } from '../../../engine/plan/evaluate/scope.ts';
import { identifyingValue } from '../../../engine/plan/values/exactTexts.ts';
import type { SqlValue } from '../../../engine/plan/values/value.ts';
import type { NewTable } from '../../storage/storage.ts';

/** Returns the key of a row that has all identity columns. */
export type KeyOf = (row: Row) => string;

const namespace = Buffer.from('a396dd9109fc4017a28d3df722f651e9', 'hex');

/**
 * Creates the function for a table, once. Rows of tables without identity get random keys, because no later change can refer to
 * them.
 */
export function toKeyOf({ identity, identityKind }: Pick<NewTable, 'identity' | 'identityKind'>): KeyOf {
  if (identityKind === 'nothing' || identity.length === 0) return () => randomUUID();
  const names = identity.map(({ name }) => name);
  const [only] = names;
  if (names.length === 1 && only !== undefined) return singleKeyOf(only);
  return (row) => {
    let size = frame;
    for (const name of names) size += sizeOf(name, identifyingValue(row, name));
    const bytes = Buffer.allocUnsafe(namespace.length + size);
    let at = begin(bytes, size);
    for (const name of names) at = writeElement(bytes, at, name, identifyingValue(row, name));
    bytes[at] = 0;
    return toUuid(bytes);
  };
}

/** Most tables have one identity column, whose values have the same size, so their bytes are written into a reused buffer. */
function singleKeyOf(name: string): KeyOf {
  let kept = Buffer.alloc(0);
  return (row) => {
    const value = identifyingValue(row, name);
    const size = frame + sizeOf(name, value);
    if (kept.length !== namespace.length + size) kept = Buffer.allocUnsafe(namespace.length + size);
    kept[writeElement(kept, begin(kept, size), name, value)] = 0;
    return toUuid(kept);
  };
}

/** The size of a document without elements: the length at the beginning and the zero at the end. */
const frame = 5;

function begin(bytes: Buffer, size: number): number {
  namespace.copy(bytes);
  return bytes.writeInt32LE(size, namespace.length);
}

function sizeOf(name: string, value: SqlValue): number {
  const head = 2 + Buffer.byteLength(name);
  switch (typeof value) {
    case 'string':
      return head + 5 + Buffer.byteLength(value);
    case 'bigint':
    case 'number':
      return head + 8;
    default:
      return value === null ? head : head + 5 + value.length;
  }
}

/** Writes type, name and value, as defined by bsonspec.org. */
function writeElement(bytes: Buffer, start: number, name: string, value: SqlValue): number {
  let at = start + 1;
  at += bytes.write(name, at);
  bytes[at] = 0;
  at += 1;
  switch (typeof value) {
    case 'string': {
      bytes[start] = 0x02;
      const length = bytes.write(value, at + 4);
      bytes.writeInt32LE(length + 1, at);
      bytes[at + 4 + length] = 0;
      return at + 5 + length;
    }
    case 'bigint':
      bytes[start] = 0x12;
      return bytes.writeBigInt64LE(BigInt.asIntN(64, value), at);
    case 'number':
      bytes[start] = 0x01;
      return bytes.writeDoubleLE(value, at);
    default:
      if (value === null) {
        bytes[start] = 0x0a;
        return at;
      }
      bytes[start] = 0x05;
      bytes.writeInt32LE(value.length, at);
      bytes[at + 4] = 0;
      bytes.set(value, at + 5);
      return at + 5 + value.length;
  }
}

/** Returns the first 16 bytes of the hash as a UUID; version and variant overwrite 6 bits of them (RFC 9562). */
function toUuid(bytes: Uint8Array): string {
  // The hash has one character for each byte. The digits are written into reused bytes, because slices of text would be a dozen
  // objects per row.
  const hashed = hash('sha1', bytes, 'binary');
  for (let index = 0; index < digitsAt.length; index += 1) {
    let byte = hashed.charCodeAt(index);
    if (index === 6) byte = 0x50 | (byte & 0x0f);
    else if (index === 8) byte = 0x80 | (byte & 0x3f);
    const at = digitsAt[index] as number;
    uuid[at] = hexDigits.charCodeAt(byte >> 4);
    uuid[at + 1] = hexDigits.charCodeAt(byte & 15);
  }
  return uuid.toString('latin1');
}

const uuid = Buffer.alloc(36, '-');
/** The offsets of the two digits of each byte. */
const digitsAt = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const hexDigits = '0123456789abcdef';

/** The maximum number of characters of a value in messages. */
const mostShown = 60;

/** Returns the identity of a row for messages: `id=7, part=b`. */
export function identityText({ identity }: Pick<NewTable, 'identity'>, row: Row): string {
  if (identity.length === 0) return 'a row without a key';
  return identity.map(({ name }) => `${name}=${show(identifyingValue(row, name))}`).join(', ');
}

function show(value: SqlValue): string {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
