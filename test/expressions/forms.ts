/**
 * Every function, operator and cast that the engine knows, written as an expression over the operands `a`, `b` and `c`.
 * The lists come from the tables of the engine, so a new row is covered without a change here.
 */
import { castTypes } from '../../server/engine/sql/casts.ts';
import { functions } from '../../server/engine/sql/functions.ts';
import { operators } from '../../server/engine/sql/operators.ts';
import type { Mode } from './modes.ts';

/** Writes the expression with these texts as operands. */
export type Form = (a: string, b: string, c: string) => string;

export interface Forms {
  /** The forms by the number of operands: `a` alone, `a` and `b`, or all three. */
  readonly 1: readonly Form[];
  readonly 2: readonly Form[];
  readonly 3: readonly Form[];
}

export function formsOf(mode: Mode): Forms {
  const before3 = mode.edition !== 3;
  const supports = (op: string) => {
    const row = operators.get(op);
    const support = before3 ? row?.before3 : row?.streams;
    return support === 'yes' || (support === 'sqlite' && mode.sqlite);
  };
  const written = (op: string, form: Form): readonly Form[] => (supports(op) ? [form] : []);
  const binary = [...operators.keys()].filter(
    (op) => supports(op) && (/^[^A-Z]/.test(op) || op === 'AND' || op === 'OR') && !op.startsWith('->'),
  );
  const calls = (count: number) =>
    [...functions.values()]
      .filter(({ name, only, notInSqlite, min, max }) => {
        if (only === (before3 ? 'streams' : 'before 3') || (notInSqlite && mode.sqlite)) return false;
        // The reference cannot prepare such a statement, so it cannot start.
        if (mode.sqlite && name === 'ifnull' && count > 2) return false;
        return min <= count && count <= Math.min(max, 3);
      })
      .map(
        ({ name }): Form =>
          (...args) =>
            `${name}(${args.slice(0, count).join(', ')})`,
      );
  return {
    1: [
      ...calls(1),
      ...[...castTypes.keys()].map(
        (type): Form =>
          (a) =>
            `CAST(${a} AS ${type})`,
      ),
      (a) => a,
      ...written('NOT', (a) => `NOT ${a}`),
      ...written('IS NULL', (a) => `${a} IS NULL`),
      ...written('IS NULL', (a) => `${a} IS NOT NULL`),
      ...['IS TRUE', 'IS FALSE'].flatMap((op) => [
        ...written(op, (a) => `${a} ${op}`),
        ...written(op, (a) => `${a} ${op.replace('IS', 'IS NOT')}`),
        ...written(op, (a) => `NOT (${a} ${op})`),
        ...[...castTypes.keys()].flatMap((type) => written(op, (a) => `CAST(${a} AS ${type}) ${op}`)),
      ]),
      ...keyLiterals.flatMap((key) => [
        ...written('->', (a) => `${a} -> ${key}`),
        ...written('->>', (a) => `${a} ->> ${key}`),
      ]),
      ...written('CASE', (a) => `CASE WHEN ${a} THEN 'yes' ELSE 'no' END`),
      ...written('CASE', (a) => `CASE ${a} WHEN 1 THEN 'one' WHEN '1' THEN 'text' END`),
      ...literalArguments.filter((form) => !before3 || !form('a', '', '').includes('ARRAY')),
      (a) => `iif(${a}, 'yes', 'no')`,
      ...written('NOT', (a) => `NOT (${a} AND ${a} = 'abc')`),
      ...written('NOT IN', (a) => `${a} NOT IN '["abc", 1, null]'`),
    ],
    2: [
      ...calls(2),
      ...binary.map(
        (op): Form =>
          (a, b) =>
            `${a} ${op} ${b}`,
      ),
      ...(before3
        ? []
        : ['->', '->>'].map(
            (op): Form =>
              (a, b) =>
                `${a} ${op} ${b}`,
          )),
      ...written('NOT', (a, b) => `NOT (${a} AND ${b})`),
      ...written('NOT', (a, b) => `NOT (${a} OR ${b})`),
      ...written('NOT', (a, b) => `NOT (${a} = ${b})`),
      ...written('NOT IN', (a, b) => `${a} NOT IN ${b}`),
      ...written('IS TRUE', (a, b) => `(${a} = ${b}) IS TRUE`),
      ...written('IS FALSE', (a, b) => `(${a} < ${b}) IS FALSE`),
      ...written('CASE', (a, b) => `CASE ${a} WHEN ${b} THEN 'same' ELSE 'other' END`),
      ...(before3 ? [] : [((a, b) => `${a} IN ARRAY[${b}, 5, 'abc']`) satisfies Form]),
    ],
    3: [
      ...calls(3),
      ...written('BETWEEN', (a, b, c) => `${a} BETWEEN ${b} AND ${c}`),
      ...written('NOT BETWEEN', (a, b, c) => `${a} NOT BETWEEN ${b} AND ${c}`),
      ...written('CASE', (a, b, c) => `CASE WHEN ${a} THEN ${b} ELSE ${c} END`),
      ...written('AND', (a, b, c) => `(${a} AND ${b}) OR ${c}`),
      ...written('NOT', (a, b, c) => `NOT (${a} AND NOT (${b} OR ${c}))`),
    ],
  };
}

/** Keys as literals, because the engine reads a key that is known at compile time differently from a key in a column. */
const keyLiterals = ["'a'", "'$.a'", "'$.b.c[0]'", "'x.y'", "'n'", '0', '1', "'$'"];

const literalArguments: readonly Form[] = [
  (a) => `json_extract(${a}, '$.a')`,
  (a) => `json_array_length(${a}, '$.b.c')`,
  (a) => `json_array_length(${a}, NULL)`,
  (a) => `substring('hello', ${a})`,
  (a) => `substring('hello', ${a}, 2)`,
  (a) => `substring('hello', 2, ${a})`,
  (a) => `instr('abc 1 1.0', ${a})`,
  (a) => `datetime(${a}, 'subsec')`,
  (a) => `datetime(${a}, 'unixepoch')`,
  (a) => `unixepoch(${a}, 'subsec')`,
  (a) => `unixepoch(${a}, 'unixepoch', 'subsec')`,
  (a) => `${a} IN ARRAY[1, 'abc']`,
  (a) => `${a} IN ARRAY[NULL, 1]`,
];
