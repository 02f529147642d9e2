/** Reads texts as the types of PostgreSQL do. */

import { isJson } from '../../plan/values/json.ts';
import { oids } from '../../plan/values/postgres/convert.ts';
import { toHex } from '../../plan/values/text.ts';
import { readJsonb } from './jsonb.ts';
import { integerReader, readDouble, readFloat, readNumeric, readSingle } from './numbers.ts';
import {
  hasHalfPair,
  type Modifiers,
  refused,
  type StoredText,
  storeText,
  trimSpace,
  uncertain,
} from './storedText.ts';
import { readDate, readTime, readTimestamp, readTimestampWithZone } from './times.ts';

export interface TypeReader {
  readonly oid: number;
  readonly read: (text: string) => StoredText;
}

/** The schema of an extension is a choice of the project. */
const form =
  /^(?:pg_catalog\.|[\w$]+\.(?=citext$))?([a-z][a-z\d ]*?)(?:\((\d+)(?:,(-?\d+))?\))?( with(?:out)? time zone)?$/;

/** @returns undefined for other types than PostgreSQL's usual ones */
export function typeReader(type: string): TypeReader | undefined {
  const [, name = '', first, second, zone = ''] = form.exec(type) ?? [];
  const found = readers.get(name + zone);
  if (found === undefined) return undefined;
  const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
  const modifiers = [numberOf(first), numberOf(second)] as const;
  return { oid: found.oid, read: (text) => (text.includes('\0') ? refused : found.read(text, modifiers)) };
}

type ReadModified = (text: string, modifiers: Modifiers) => StoredText;

const table: readonly (readonly [oid: number, read: ReadModified, ...names: readonly string[]])[] = [
  [oids.bool, readBoolean, 'bool', 'boolean'],
  [oids.int2, integerReader(16), 'int2', 'smallint', 'smallserial', 'serial2'],
  [oids.int4, integerReader(32), 'int4', 'int', 'integer', 'serial', 'serial4'],
  [oids.int8, integerReader(64), 'int8', 'bigint', 'bigserial', 'serial8'],
  [oids.float4, readSingle, 'float4', 'real'],
  [oids.float8, readDouble, 'float8', 'double precision'],
  [oids.float8, readFloat, 'float'],
  [oids.text, readNumeric, 'numeric', 'decimal', 'dec'],
  [oids.text, readLimited, 'text', 'citext', 'varchar', 'character varying'],
  [oids.text, readPadded, 'bpchar'],
  [oids.text, (text, [length = 1]) => readPadded(text, [length]), 'char', 'character'],
  [oids.text, (text, [length = 1]) => readBits(text, text.length === length), 'bit'],
  [oids.text, (text, [most = text.length]) => readBits(text, text.length <= most), 'varbit', 'bit varying'],
  [oids.text, readUuid, 'uuid'],
  [oids.json, (text) => (isJson(text) ? storeText(text) : refused), 'json'],
  [oids.jsonb, readJsonb, 'jsonb'],
  [oids.bytea, readBytea, 'bytea'],
  [oids.date, readDate, 'date'],
  [oids.time, readTime, 'time', 'time without time zone'],
  [oids.timestamp, readTimestamp, 'timestamp', 'timestamp without time zone'],
  [oids.timestamptz, readTimestampWithZone, 'timestamptz', 'timestamp with time zone'],
];

const readers: ReadonlyMap<string, { readonly oid: number; readonly read: ReadModified }> = new Map(
  table.flatMap(([oid, read, ...names]) => names.map((name) => [name, { oid, read }] as const)),
);

/** Reads a boolean. The beginning of a word is enough, if no other word begins with it. */
function readBoolean(text: string): StoredText {
  const word = trimSpace(text).toLowerCase();
  if (word === '' || word === 'o') return refused;
  const begins = (whole: string): boolean => whole.startsWith(word);
  if (['true', 'yes', 'on', '1'].some(begins)) return storeText('t');
  return ['false', 'no', 'off', '0'].some(begins) ? storeText('f') : refused;
}

/** Reads a text. Only blanks may exceed its length. */
function readLimited(text: string, [length = Number.POSITIVE_INFINITY]: Modifiers): StoredText {
  if (hasHalfPair(text)) return uncertain;
  const characters = [...text];
  const isShort = characters.slice(length).every((each) => each === ' ');
  return isShort ? storeText(characters.slice(0, length).join('')) : refused;
}

function readPadded(text: string, modifiers: Modifiers): StoredText {
  const read = readLimited(text, modifiers);
  if (read.kind !== 'stored') return read;
  const missing = (modifiers[0] ?? 0) - [...read.text].length;
  return storeText(read.text + ' '.repeat(Math.max(0, missing)));
}

/** YAML drops zeros at the beginning of a number, so a text of another length is uncertain. */
function readBits(text: string, isOfLength: boolean): StoredText {
  return isOfLength && /^[01]*$/.test(text) ? storeText(text) : uncertain;
}

/** A text that is not a UUID is uncertain, so that tests can use readable names. */
function readUuid(text: string): StoredText {
  const inner = /^\{.*\}$/.test(text) ? text.slice(1, -1) : text;
  if (!/^(?:[\da-f]{4}-?){7}[\da-f]{4}$/i.test(inner)) return uncertain;
  const digits = inner.replaceAll('-', '').toLowerCase();
  return storeText(digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
}

/** Reads hexadecimal digits, or a text without escapes. */
function readBytea(text: string): StoredText {
  if (/^\\x(?:[\da-f]{2})*$/i.test(text)) return storeText(text.toLowerCase());
  if (text.includes('\\') || hasHalfPair(text)) return uncertain;
  return storeText(`\\x${toHex(new TextEncoder().encode(text)).toLowerCase()}`);
}
