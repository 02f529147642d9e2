/** Classes of cells. Cells that are compared with each other belong to one class and get their values from the same list. */

import { append } from '../../ground/append.ts';
import { toEvaluator } from '../../plan/evaluate/expression.ts';
import { noRequest, noRow, noTable } from '../../plan/evaluate/scope.ts';
import { childrenOf, type Expression } from '../../plan/expression.ts';
import type { Meeting, StreamPlan, TablePattern } from '../../plan/plan.ts';
import type { LiteralValue } from '../../sql/ast.ts';
import { type Cell, type CellScope, cellOf, cellsIn, keyOfCell } from './cells.ts';

export type Scalar = string | number | bigint | null;

export interface CellClass {
  readonly cells: Map<string, Cell>;
  readonly constants: Set<Scalar>;
  /** Whether the value is used as a condition on its own. */
  isBoolean: boolean;
  /** Whether values of the class are compared by order. */
  isOrdered: boolean;
  /** Whether a function, cast or operator computes something from a value of the class. */
  isComputed: boolean;
  /** Functions that compute further values from a value of the class. */
  readonly images: ((value: Scalar) => Scalar | undefined)[];
}

export interface Classes {
  readonly add: (cell: Cell) => CellClass;
  /** Merges the classes of these cells into one class. */
  readonly join: (cells: readonly Cell[], constants?: readonly Scalar[]) => void;
  readonly of: (cell: Cell) => CellClass | undefined;
  /** Returns all distinct cells. */
  readonly cells: () => readonly Cell[];
}

export function openClasses(): Classes {
  const byKey = new Map<string, CellClass>();
  const all = new Map<string, Cell>();
  const add = (cell: Cell): CellClass => {
    const key = keyOfCell(cell);
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const made: CellClass = {
      cells: new Map([[key, cell]]),
      constants: new Set(),
      isBoolean: false,
      isOrdered: false,
      isComputed: false,
      images: [],
    };
    byKey.set(key, made);
    all.set(key, cell);
    return made;
  };
  return {
    add,
    join(cells, constants = []) {
      const [first, ...others] = cells;
      if (first === undefined) return;
      let into = add(first);
      for (const other of others) {
        const from = add(other);
        if (from === into) continue;
        const [small, large] = from.cells.size > into.cells.size ? [into, from] : [from, into];
        for (const [key, cell] of small.cells) {
          large.cells.set(key, cell);
          byKey.set(key, large);
        }
        for (const constant of small.constants) large.constants.add(constant);
        large.isBoolean ||= small.isBoolean;
        large.isOrdered ||= small.isOrdered;
        large.isComputed ||= small.isComputed;
        append(large.images, small.images);
        into = large;
      }
      for (const constant of constants) into.constants.add(constant);
    },
    of: (cell) => byKey.get(keyOfCell(cell)),
    cells: () => [...all.values()],
  };
}

/** The names of tables in a search. */
export interface TableNaming {
  readonly defaultSchema: string;
  /** The tables that are named somewhere. A wildcard pattern counts as the tables that it matches, and one more. */
  readonly names: readonly string[];
}

/** Returns the table of a pattern, as tests name it. If there are several, returns one of them. */
export function tableOfPattern(
  pattern: TablePattern,
  { defaultSchema }: Pick<TableNaming, 'defaultSchema'>,
): string {
  return tablesOfPattern(pattern, { defaultSchema, names: [] })[0] ?? pattern.name.text;
}

/** Returns the tables of a pattern that must be distinguished. */
export function tablesOfPattern(
  { schema, name }: TablePattern,
  { defaultSchema, names }: TableNaming,
): readonly string[] {
  const qualify = (text: string): string =>
    schema.text === defaultSchema && !schema.wildcard ? text : `${schema.text}.${text}`;
  if (!name.wildcard) return [qualify(name.text)];
  const prefix = qualify(name.text);
  const named = names.filter((each) => each.startsWith(prefix));
  let number = 1;
  while (named.includes(`${prefix}${number}`)) number += 1;
  return [...named, `${prefix}${number}`];
}

export function classifyPlan(plan: StreamPlan, naming: TableNaming, classes: Classes): void {
  const scopesOf = (part: { table: TablePattern; expansions: CellScope['expansions'] }) =>
    tablesOfPattern(part.table, naming).map((table): CellScope => ({ table, expansions: part.expansions }));
  for (const part of [...plan.sources.flatMap(({ rules }) => rules), ...plan.lookups])
    for (const scope of scopesOf(part)) {
      for (const condition of part.filter) classifyCondition(condition, scope, classes);
      for (const expression of 'keys' in part ? part.keys : [...part.inputs, ...part.outputs])
        classifyExpression(expression, scope, classes);
      for (const { args } of part.expansions) for (const arg of args) addCells(arg, scope, classes);
    }
  for (const route of plan.routes) {
    for (const condition of route.filter) classifyCondition(condition, requestScopeOf(), classes);
    const cellsOfMeeting = (meeting: Meeting): readonly Cell[] =>
      meeting.flatMap((value) => {
        if (value.kind === 'request') {
          classifyExpression(value.value, requestScopeOf(), classes);
          return cellsIn(value.value, requestScopeOf());
        }
        const step = route.steps[value.step];
        if (step?.kind === 'expand') {
          const output = step.outputs[value.output];
          return output === undefined ? [] : cellsIn(output, requestScopeOf([step.expansion]));
        }
        const lookup = step && plan.lookups[step.lookup];
        const output = lookup?.outputs[value.output];
        return lookup && output ? scopesOf(lookup).flatMap((scope) => cellsIn(output, scope)) : [];
      });
    for (const step of route.steps)
      if (step.kind === 'expand') {
        for (const condition of step.filter)
          classifyCondition(condition, requestScopeOf([step.expansion]), classes);
        for (const arg of step.expansion.args) addCells(arg, requestScopeOf(), classes);
      } else {
        const lookup = plan.lookups[step.lookup];
        if (lookup !== undefined)
          step.inputs.forEach((meeting, index) => {
            const input = lookup.inputs[index];
            const cells = input ? scopesOf(lookup).flatMap((scope) => cellsIn(input, scope)) : [];
            classes.join([...cellsOfMeeting(meeting), ...cells]);
          });
      }
    route.keys.forEach((meeting, index) => {
      for (const rule of plan.sources[route.source]?.rules ?? []) {
        const key = rule.keys[index];
        const cells = key ? scopesOf(rule).flatMap((scope) => cellsIn(key, scope)) : [];
        classes.join([...cellsOfMeeting(meeting), ...cells]);
      }
    });
  }
}

export function requestScopeOf(expansions: CellScope['expansions'] = []): CellScope {
  return { expansions };
}

function addCells(expression: Expression, scope: CellScope, classes: Classes): void {
  for (const cell of cellsIn(expression, scope)) {
    classes.add(cell);
    classes.add({ ...cell, isElement: true });
  }
}

/** Classifies an expression whose truth matters. */
function classifyCondition(expression: Expression, scope: CellScope, classes: Classes): void {
  const cell = cellOf(expression, scope);
  if (cell !== undefined) classes.add(cell).isBoolean = true;
  else if (
    expression.kind === 'operation' &&
    ['and', 'or', 'not', 'is true', 'is false'].includes(expression.op)
  )
    for (const arg of expression.args) classifyCondition(arg, scope, classes);
  else classifyExpression(expression, scope, classes);
}

const comparing: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>=', 'in list', 'between']);

function classifyExpression(expression: Expression, scope: CellScope, classes: Classes): void {
  const cell = cellOf(expression, scope);
  if (cell !== undefined) {
    classes.add(cell);
    return;
  }
  if (expression.kind === 'operation') {
    const { op, args } = expression;
    if (op === 'and' || op === 'or' || op === 'not') {
      for (const arg of args) classifyCondition(arg, scope, classes);
      return;
    }
    if (op === 'in' || op === 'overlap') {
      const sides = args.map((arg, index) => {
        const cells = cellsIn(arg, scope);
        for (const each of cells) classes.add(each);
        return index === 0 && op === 'in'
          ? cells
          : cells.map((each) => ({ ...each, isElement: true as const }));
      });
      classes.join(sides.flat(), args.flatMap(constantsIn));
    } else if (comparing.has(op)) {
      classes.join(cellsIn(expression, scope), constantsIn(expression));
      if (ordering.has(op)) for (const each of cellsIn(expression, scope)) classes.add(each).isOrdered = true;
    }
  }
  if (isComputed(expression)) addComputed(expression, scope, classes);
  for (const child of childrenOf(expression)) classifyExpression(child, scope, classes);
}

const ordering: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', 'between']);
const computing: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '&', '|', '<<', '>>', '||', '->>']);

function isComputed({ kind, ...expression }: Expression): boolean {
  return (
    kind === 'function' ||
    kind === 'case' ||
    kind === 'cast' ||
    (kind === 'operation' && 'op' in expression && computing.has(expression.op))
  );
}

/**
 * Adds the values of a computed expression: its constants, and the values that are computed from its cell, for the cell with which
 * it is compared.
 */
function addComputed(expression: Expression, scope: CellScope, classes: Classes): void {
  const cells = cellsIn(expression, scope);
  classes.join(cells, constantsIn(expression));
  const [first] = cells;
  if (first === undefined) return;
  const found = classes.add(first);
  found.isComputed = true;
  if (new Set(cells.map(keyOfCell)).size === 1)
    found.images.push((value) => imageOf(expression, scope, value));
}

function imageOf(expression: Expression, scope: CellScope, value: Scalar): Scalar | undefined {
  const replace = (each: Expression): Expression => {
    if (cellOf(each, scope) !== undefined) return { kind: 'constant', value: literalOf(value), at: each.at };
    switch (each.kind) {
      case 'operation':
      case 'function':
        return { ...each, args: each.args.map(replace) };
      case 'cast':
        return { ...each, operand: replace(each.operand) };
      case 'case':
        return {
          ...each,
          ...(each.operand && { operand: replace(each.operand) }),
          branches: each.branches.map(({ condition, result }) => ({
            condition: replace(condition),
            result: replace(result),
          })),
          ...(each.otherwise && { otherwise: replace(each.otherwise) }),
        };
      default:
        return each;
    }
  };
  try {
    const evaluate = toEvaluator(replace(expression), { sqliteEngine: false, wholeKeys: false });
    const image = evaluate({ row: noRow, table: noTable, suffix: '', elements: [], request: noRequest });
    return image instanceof Uint8Array ? undefined : image;
  } catch {
    return undefined;
  }
}

function literalOf(value: Scalar): LiteralValue {
  if (value === null) return { type: 'null' };
  if (typeof value === 'bigint') return { type: 'integer', value };
  return typeof value === 'number' ? { type: 'real', value } : { type: 'text', value };
}

function constantsIn(expression: Expression): readonly Scalar[] {
  if (expression.kind === 'constant') return listedIn(scalarOf(expression.value));
  // The key of a JSON operator is not a compared value.
  if (expression.kind === 'operation' && (expression.op === '->' || expression.op === '->>')) return [];
  return childrenOf(expression).flatMap(constantsIn);
}

/** Returns a constant and, if it is a list, its elements. */
export function listedIn(value: Scalar): readonly Scalar[] {
  if (typeof value !== 'string' || !value.startsWith('[')) return [value];
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [value];
  } catch {
    return [value];
  }
}

export function scalarOf(value: LiteralValue): Scalar {
  switch (value.type) {
    case 'null':
      return null;
    case 'boolean':
      return value.value ? 1n : 0n;
    default:
      return value.value;
  }
}
