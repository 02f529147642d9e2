/** The functions of SQLite, with SQLite's behaviour. The functions for dates, geometries and case are the engine's own. */
import { fail } from '../failure.ts';
import { type ScalarFunction, scalarFunctions } from '../scalarFunctions.ts';
import { toBytes as builtInBytes, toHex } from '../text.ts';
import type { SqlValue } from '../value.ts';
import { sqliteArrayLength, sqliteExtract } from './jsonPath.ts';
import { sqliteText, toInteger } from './numbers.ts';

export function sqliteFunction(name: string): ScalarFunction {
  const call = Object.hasOwn(own, name) ? own[name] : undefined;
  if (call !== undefined) return call;
  const shared = sharedFunctions.has(name) ? scalarFunctions[name] : undefined;
  return shared ?? (() => fail('function-not-evaluable'));
}

const sharedFunctions: ReadonlySet<string> = new Set([
  // SQLite's own functions convert only ASCII letters.
  'upper',
  'lower',
  'typeof',
  'datetime',
  'unixepoch',
  'st_x',
  'st_y',
  'st_astext',
  'st_asgeojson',
]);

const own: Readonly<Record<string, ScalarFunction>> = {
  length: ([x = null]) =>
    x === null ? null : BigInt(x instanceof Uint8Array ? x.length : charactersOf(x).length),
  substring: ([x = null, start = null, ...length]) => substring(x, start, length),
  instr: ([x = null, y = null]) => instr(x, y),
  hex: ([x = null]) => (x === null ? '' : toHex(toBytes(x))),
  json_extract: ([document = null, ...paths]) => sqliteExtract(document, paths),
  json_array_length: ([document = null, path]) => sqliteArrayLength(document, path),
};

/** Returns the characters by code point. */
function charactersOf(value: Exclude<SqlValue, null>): readonly string[] {
  return Array.from(sqliteText(value));
}

/** The length that SQLite assumes if the argument is missing. */
const longestValue = 1_000_000_000;

/**
 * Returns a substring. A blob is counted in bytes, and the result for an empty blob is NULL. A start before the beginning shortens
 * the result, and a negative length selects the bytes before the start.
 */
function substring(x: SqlValue, from: SqlValue, [length]: readonly SqlValue[]): SqlValue {
  if (x === null || from === null || length === null) return null;
  const whole = x instanceof Uint8Array ? x : charactersOf(x);
  if (x instanceof Uint8Array && x.length === 0) return null;
  const start = Number(toInteger(from));
  const count = length === undefined ? longestValue : Number(toInteger(length));
  // The index is counted from 0. SQLite's position 0 is one before the first.
  const first = start > 0 ? start - 1 : start === 0 ? -1 : whole.length + start;
  const [begin, end] = count < 0 ? [first + count, first] : [first, first + count];
  const [low, high] = [Math.max(0, begin), Math.max(0, end)];
  return whole instanceof Uint8Array ? whole.slice(low, high) : whole.slice(low, high).join('');
}

function instr(x: SqlValue, y: SqlValue): SqlValue {
  if (x === null || y === null) return null;
  if (x instanceof Uint8Array && y instanceof Uint8Array)
    return scalarFunctions.instr?.([x, y], jsonRules) ?? null;
  const text = sqliteText(x);
  const at = text.indexOf(sqliteText(y));
  return BigInt(at < 0 ? 0 : charactersOf(text.slice(0, at)).length + 1);
}

const jsonRules = { wholeKeys: true };

function toBytes(value: Exclude<SqlValue, null>): Uint8Array {
  return builtInBytes(value instanceof Uint8Array ? value : sqliteText(value));
}
