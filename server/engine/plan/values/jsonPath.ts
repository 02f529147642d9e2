/** Computes `->`, `->>`, json_extract() and json_array_length(), which follow paths into a JSON text. */
import { fail } from './failure.ts';
import { isJsonObject, type Json, jsonToSql, readJson, writeJson } from './json.ts';
import { toText } from './text.ts';
import type { SqlValue } from './value.ts';

/**
 * The rules for JSON. `wholeKeys` is the option `fixed_json_extract`. If it is off, every key is split at its dots, and a JSON null
 * is NULL for `->` and the text `null` for `->>`, rather than the reverse.
 */
export interface JsonRules {
  readonly wholeKeys: boolean;
}

export type MemberOperator = '->' | '->>';

/** Returns a reader for `document -> key`, where the key is known at compile time and the document is already parsed. */
export function memberReader(
  operator: MemberOperator,
  key: string | bigint,
  rules: JsonRules,
): (document: Json) => SqlValue {
  const path = pathOf(key, rules);
  const show = operator === '->' ? showAsJson(rules) : showAsValue(rules);
  return (document) => show(find(document, path));
}

/** Computes `document -> key` for a computed key. */
export function readMember(
  operator: MemberOperator,
  document: SqlValue,
  key: SqlValue,
  rules: JsonRules,
): SqlValue {
  if (document === null || key === null) return null;
  const known = typeof key === 'bigint' ? key : toText(key);
  return memberReader(operator, known, rules)(readJson(toText(document)));
}

export function jsonExtract(document: SqlValue, path: SqlValue, rules: JsonRules): SqlValue {
  if (document === null || path === null) return null;
  return showAsValue(rules)(find(readJson(toText(document)), dollarPath(path)));
}

export function jsonArrayLength(
  document: SqlValue,
  path: SqlValue | undefined,
  { wholeKeys }: JsonRules,
): SqlValue {
  if (document === null) return null;
  const root = readJson(toText(document));
  if (path === undefined || path === null) return lengthOf(root);
  const found = find(root, dollarPath(path));
  return found === undefined || (found === null && wholeKeys) ? null : lengthOf(found);
}

function lengthOf(found: Json): SqlValue {
  return Array.isArray(found) ? BigInt(found.length) : 0n;
}

/**
 * Follows a path. Negative indexes and keys that only JavaScript has, such as `length`, find nothing. A path that continues after a
 * null finds the null, but a document that is null contains nothing.
 */
function find(root: Json, path: readonly string[]): Json | undefined {
  if (root === null) return undefined;
  let at: Json | undefined = root;
  for (const key of path) {
    if (at === undefined || at === null) return at;
    at = child(at, key);
  }
  return at;
}

function child(parent: Json, key: string): Json | undefined {
  if (Array.isArray(parent)) return /^(0|[1-9]\d*)$/.test(key) ? parent[Number(key)] : undefined;
  return isJsonObject(parent) ? parent[key] : undefined;
}

/**
 * Returns the names of nested properties that a key means, such as `a` and `b` for `$.a.b`. Returns undefined if the key can mean
 * something else, such as an element of a list: that depends on `fixed_json_extract`, and SQLite has rules of its own.
 */
export function namesOfKey(key: string): readonly string[] | undefined {
  const names = key.startsWith('$.') ? key.slice(2).split('.') : [key];
  return names.every((name) => /^(?!\d+$)[^$."[\]]+$/.test(name)) ? names : undefined;
}

function pathOf(key: string | bigint, rules: JsonRules): readonly string[] {
  if (typeof key === 'bigint') return [key.toString()];
  if (key.startsWith('$')) return key.split('.').slice(1);
  return rules.wholeKeys ? [key] : key.split('.');
}

/** Splits a path. Text before the first dot is ignored: `$[0].a` is `$.a`. */
function dollarPath(path: Exclude<SqlValue, null>): readonly string[] {
  const text = toText(path);
  if (!text.startsWith('$')) fail('json-path-needs-dollar');
  return text.split('.').slice(1);
}

function showAsJson(rules: JsonRules): (value: Json | undefined) => SqlValue {
  return (value) => {
    if (value === undefined || (value === null && !rules.wholeKeys)) return null;
    return writeJson(value);
  };
}

function showAsValue(rules: JsonRules): (value: Json | undefined) => SqlValue {
  return (value) => (value === null && !rules.wholeKeys ? 'null' : jsonToSql(value));
}
