/**
 * JSON paths of SQLite: `$`, `$.a.b`, `$."x.y"`, `$[0]`, `$[#-1]`. Unlike in SQLite, documents with two values for one key fail,
 * and `->` writes numbers and texts in a single form.
 */
import { fail } from '../failure.ts';
import { isJsonObject, type Json, jsonToSql, writeJson } from '../json.ts';
import type { MemberOperator } from '../jsonPath.ts';
import type { SqlValue } from '../value.ts';
import { readJson5 } from './json5.ts';
import { integerOrReal, sqliteText } from './numbers.ts';

type NotNull = Exclude<SqlValue, null>;

/** A property name or an index. Negative indexes count from the end, where -1 is the last element. */
type Step = string | number;

/** Computes `document -> key`, where the key is a path, an index, or the name of a property. */
export function sqliteMember(op: MemberOperator, document: SqlValue, key: SqlValue): SqlValue {
  if (document === null || key === null) return null;
  const found = find(readJson5(sqliteText(document)), stepsOfKey(key));
  if (op === '->>') return sqlValueOf(found);
  return found === undefined ? null : writeJson(found);
}

function stepsOfKey(key: NotNull): readonly Step[] {
  if (typeof key === 'bigint') return [Number(key)];
  const text = sqliteText(key);
  if (text.startsWith('$')) return stepsOf(text);
  return /^\[\d+\]$/.test(text) ? stepsOf(`$${text}`) : [text];
}

/** Returns an array of the results if there are several paths. */
export function sqliteExtract(document: SqlValue, paths: readonly SqlValue[]): SqlValue {
  if (document === null || paths.includes(null)) return null;
  const root = readJson5(sqliteText(document));
  const found = (paths as readonly NotNull[]).map((path) => find(root, stepsOf(sqliteText(path))));
  return found.length === 1 ? sqlValueOf(found[0]) : writeJson(found.map((each) => each ?? null));
}

export function sqliteArrayLength(document: SqlValue, path: SqlValue | undefined): SqlValue {
  if (document === null) return null;
  const root = readJson5(sqliteText(document));
  if (path === null) return null;
  const found = path === undefined ? root : find(root, stepsOf(sqliteText(path)));
  if (found === undefined) return null;
  return Array.isArray(found) ? BigInt(found.length) : 0n;
}

function sqlValueOf(found: Json | undefined): SqlValue {
  return typeof found === 'bigint' ? integerOrReal(found) : jsonToSql(found);
}

const pathStep = /\."((?:[^"\\]|\\.)*)"|\.([^.["]+)|\[(\d+)\]|\[#-(\d+)\]|\[#\]/y;

function stepsOf(path: string): readonly Step[] {
  if (!path.startsWith('$')) fail('json-path-needs-dollar');
  const steps: Step[] = [];
  pathStep.lastIndex = 1;
  while (pathStep.lastIndex < path.length) {
    const match = pathStep.exec(path);
    if (match === null) return fail('invalid-json-path');
    const [, quoted, name, index, fromEnd] = match;
    if (index !== undefined) steps.push(Number(index));
    else if (fromEnd !== undefined) steps.push(-Number(fromEnd));
    else steps.push(quoted ?? name ?? Number.POSITIVE_INFINITY);
  }
  return steps;
}

function find(root: Json, steps: readonly Step[]): Json | undefined {
  let at: Json | undefined = root;
  for (const step of steps) {
    if (at === undefined) return undefined;
    at = child(at, step);
  }
  return at;
}

function child(parent: Json, step: Step): Json | undefined {
  if (typeof step === 'string') return isJsonObject(parent) ? parent[step] : undefined;
  if (!Array.isArray(parent)) return undefined;
  // The step `[#-0]` is -0, the place after the last element.
  return step < 0 ? parent[parent.length + step] : Object.is(step, -0) ? undefined : parent[step];
}
