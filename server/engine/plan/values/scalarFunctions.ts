/** The functions of sync queries. The number of arguments is checked when a query is read. */
import { castToInteger } from './casts.ts';
import { datetime, unixepoch } from './datetime.ts';
import { fail } from './failure.ts';
import { geometryFunction } from './geometry.ts';
import { isJsonObject, readJson, writeJson } from './json.ts';
import { type JsonRules, jsonArrayLength, jsonExtract } from './jsonPath.ts';
import { toBytes, toHex, toLatin, toText } from './text.ts';
import { isTrue } from './truth.ts';
import { classOf, type SqlValue } from './value.ts';

export type ScalarFunction = (args: readonly SqlValue[], rules: JsonRules) => SqlValue;

export const scalarFunctions: Readonly<Record<string, ScalarFunction>> = {
  upper: onText((text) => text.toUpperCase()),
  lower: onText((text) => text.toLowerCase()),
  length: ([x = null]) => (x === null ? null : BigInt(x instanceof Uint8Array ? x.length : toText(x).length)),
  substring: ([x = null, start = null, ...length]) => substring(x, start, length),
  instr: ([x = null, y = null]) => instr(x, y),
  hex: ([x = null]) => (x === null ? '' : toHex(toBytes(x))),
  base64: ([x = null]) => (x === null ? '' : toBase64(toBytes(x))),
  typeof: ([x = null]) => classOf(x),
  ifnull: ([x = null, y = null]) => x ?? y,
  iif: ([condition = null, yes = null, no = null]) => (isTrue(condition) ? yes : no),
  json_extract: ([document = null, path = null], rules) => jsonExtract(document, path, rules),
  json_array_length: ([document = null, path], rules) => jsonArrayLength(document, path, rules),
  json_keys: ([document = null]) => jsonKeys(document),
  json_valid: ([document = null]) => jsonValid(document),
  unixepoch,
  datetime,
  uuid_blob: ([x = null]) => uuidBlob(x),
  st_x: ([x = null]) => geometryFunction('st_x')(x),
  st_y: ([x = null]) => geometryFunction('st_y')(x),
  st_astext: ([x = null]) => geometryFunction('st_astext')(x),
  st_asgeojson: ([x = null]) => geometryFunction('st_asgeojson')(x),
};

function onText(change: (text: string) => string): ScalarFunction {
  return ([x = null]) => (x === null ? null : change(toText(x)));
}

/**
 * Returns a substring, counted in UTF-16 units from 1. A start of 0 or less works as in SQLite, but a start before the beginning is
 * moved to the beginning. A negative length selects the units before the start.
 */
function substring(x: SqlValue, from: SqlValue, [length]: readonly SqlValue[]): SqlValue {
  if (x === null || from === null) return null;
  const text = toText(x);
  const start = Number(castToInteger(from));
  if (length === null) return null;
  const count = length === undefined ? undefined : Number(castToInteger(length));
  let begin = start > 0 ? start - 1 : start === 0 ? -1 : Math.max(0, text.length + start);
  let end = count === undefined ? text.length : begin + count;
  if (end < begin) [begin, end] = [end, begin];
  return text.slice(Math.max(0, begin), Math.max(0, end));
}

function instr(x: SqlValue, y: SqlValue): SqlValue {
  if (x === null || y === null) return null;
  if (x instanceof Uint8Array && y instanceof Uint8Array) return BigInt(indexOfBytes(x, y) + 1);
  return BigInt(toText(x).indexOf(toText(y)) + 1);
}

function indexOfBytes(bytes: Uint8Array, part: Uint8Array): number {
  // The host's search is faster on strings.
  return toLatin(bytes).indexOf(toLatin(part));
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(toLatin(bytes));
}

function jsonKeys(document: SqlValue): SqlValue {
  if (document === null) return null;
  const root = readJson(toText(document));
  if (!isJsonObject(root)) return fail('json-keys-not-object');
  return writeJson(Object.keys(root));
}

function jsonValid(document: SqlValue): SqlValue {
  if (document === null) return 0n;
  try {
    readJson(toText(document));
    return 1n;
  } catch {
    return 0n;
  }
}

// Matches UUIDs of versions 1–8 with the variant of RFC 9562, and the two special ones.
const uuidForm =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/i;

function uuidBlob(x: SqlValue): SqlValue {
  if (x === null) return null;
  if (typeof x !== 'string' || !uuidForm.test(x)) return fail('invalid-uuid');
  const digits = x.replaceAll('-', '');
  return Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
