/** Computes json_each(x): one row for each element of an array, or each property of an object. */
import { fail, type RuntimeCode } from './failure.ts';
import { isJsonObject, type Json, type JsonObject, jsonToSql, readJson, writeJson } from './json.ts';
import { readJson5 } from './sqlite/json5.ts';
import type { SqlValue } from './value.ts';

export interface Element {
  readonly key: SqlValue;
  readonly value: SqlValue;
}

export function jsonEach(input: SqlValue): readonly Element[] {
  return jsonEachWith(readJson, input);
}

/** Reads elements as SQLite does, which accepts JSON5. */
export function sqliteJsonEach(input: SqlValue): readonly Element[] {
  return jsonEachWith(readJson5, input);
}

type ReadJson = (text: string, failure?: RuntimeCode) => Json;

function jsonEachWith(read: ReadJson, input: SqlValue): readonly Element[] {
  if (input === null) return [];
  if (typeof input !== 'string') return fail('json-each-not-text');
  return elementsOf(read(input, 'json-each-invalid-json'));
}

function elementsOf(root: Json): readonly Element[] {
  if (Array.isArray(root))
    return root.map((item, index) => ({ key: BigInt(index), value: elementValue(item) }));
  if (!isJsonObject(root)) return [{ key: null, value: elementValue(root) }];
  return Object.keys(root).map((key) => ({ key, value: elementValue(root[key] as Json) }));
}

/** Returns the elements that IN reads before edition 3: only those of arrays, without booleans and nested lists or objects. */
export function jsonArray(input: SqlValue): readonly Element[] {
  if (input === null) return [];
  if (typeof input !== 'string') return fail('not-a-json-array');
  const root = readJson(input);
  if (!Array.isArray(root)) return fail('not-a-json-array');
  return scalarElements(root.filter((item) => typeof item !== 'boolean'));
}

/** Returns the elements of a list that are neither lists nor objects. */
export function scalarElements(list: readonly Json[]): readonly Element[] {
  return elementsOf(list.filter((item) => typeof item !== 'object' || item === null));
}

/** Returns the elements with which the scalar `NOT IN` and `IN` compare. Unlike in json_each(), numbers keep their class. */
export function arrayElements(input: SqlValue, read: ReadJson = readJson): readonly SqlValue[] | null {
  if (input === null) return null;
  if (typeof input !== 'string') return fail('not-a-json-array');
  const root = read(input);
  return Array.isArray(root) ? root.map(jsonToSql) : fail('not-a-json-array');
}

/**
 * Converts an element. All numbers become REAL, including integers, except for integers that a REAL cannot represent exactly,
 * because two ids must never become equal.
 */
function elementValue(value: Json): SqlValue {
  switch (typeof value) {
    case 'boolean':
      return value ? 1n : 0n;
    case 'bigint':
      return toReal(value);
    case 'object':
      return value === null ? null : writeJson(withReals(value));
    default:
      return value;
  }
}

function toReal(value: bigint): bigint | number {
  const real = Number(value);
  return Number.isSafeInteger(real) ? real : value;
}

function withReals(value: Json): Json {
  if (typeof value === 'bigint') return toReal(value);
  if (Array.isArray(value)) return value.map(withReals);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = Object.create(null);
  for (const key of Object.keys(value)) copy[key] = withReals((value as JsonObject)[key] as Json);
  return copy;
}
