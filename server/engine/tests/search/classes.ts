/** Cells that are compared with each other are of one class, and get their values from one list. */

import { childrenOf, type Expression } from '../../plan/expression.ts';
import type { Meeting, StreamPlan, TablePattern } from '../../plan/plan.ts';
import type { LiteralValue } from '../../sql/ast.ts';
import { type Cell, type CellScope, cellOf, cellsIn, keyOfCell } from './cells.ts';

export type Scalar = string | number | bigint | null;

export interface CellClass {
  readonly cells: Map<string, Cell>;
  readonly constants: Set<Scalar>;
  /** It is used as a condition by itself. */
  isBoolean: boolean;
}

export interface Classes {
  readonly add: (cell: Cell) => CellClass;
  /** Makes them one class. */
  readonly join: (cells: readonly Cell[], constants?: readonly Scalar[]) => void;
  readonly of: (cell: Cell) => CellClass | undefined;
  /** All cells that are known, each once. */
  readonly cells: () => readonly Cell[];
}

export function openClasses(): Classes {
  const byKey = new Map<string, CellClass>();
  const all = new Map<string, Cell>();
  const add = (cell: Cell): CellClass => {
    const key = keyOfCell(cell);
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const made: CellClass = { cells: new Map([[key, cell]]), constants: new Set(), isBoolean: false };
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
        into = large;
      }
      for (const constant of constants) into.constants.add(constant);
    },
    of: (cell) => byKey.get(keyOfCell(cell)),
    cells: () => [...all.values()],
  };
}

/** The table of a pattern, as tests name it; of several, one. */
export function tableOfPattern({ schema, name }: TablePattern, defaultSchema: string): string {
  const text = name.wildcard ? `${name.text}1` : name.text;
  return schema.text === defaultSchema && !schema.wildcard ? text : `${schema.text}.${text}`;
}

export function classifyPlan(plan: StreamPlan, defaultSchema: string, classes: Classes): void {
  const scopeOf = (part: { table: TablePattern; expansions: CellScope['expansions'] }): CellScope => ({
    table: tableOfPattern(part.table, defaultSchema),
    expansions: part.expansions,
  });
  for (const part of [...plan.sources.flatMap(({ rules }) => rules), ...plan.lookups]) {
    const scope = scopeOf(part);
    for (const condition of part.filter) classifyCondition(condition, scope, classes);
    for (const expression of 'keys' in part ? part.keys : [...part.inputs, ...part.outputs])
      classifyExpression(expression, scope, classes);
    for (const { args } of part.expansions) for (const arg of args) addCells(arg, scope, classes);
  }
  for (const route of plan.routes) {
    for (const condition of route.filter) classifyCondition(condition, requestScopeOf(), classes);
    const cellsOfMeeting = (meeting: Meeting): readonly Cell[] =>
      meeting.flatMap((value) => {
        if (value.kind === 'request') return cellsIn(value.value, requestScopeOf());
        const step = route.steps[value.step];
        if (step?.kind === 'expand') {
          const output = step.outputs[value.output];
          return output === undefined ? [] : cellsIn(output, requestScopeOf([step.expansion]));
        }
        const lookup = step && plan.lookups[step.lookup];
        const output = lookup?.outputs[value.output];
        return lookup && output ? cellsIn(output, scopeOf(lookup)) : [];
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
            classes.join([...cellsOfMeeting(meeting), ...(input ? cellsIn(input, scopeOf(lookup)) : [])]);
          });
      }
    route.keys.forEach((meeting, index) => {
      for (const rule of plan.sources[route.source]?.rules ?? []) {
        const key = rule.keys[index];
        classes.join([...cellsOfMeeting(meeting), ...(key ? cellsIn(key, scopeOf(rule)) : [])]);
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

/** An expression whose truth counts. */
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
    } else if (comparing.has(op)) classes.join(cellsIn(expression, scope), constantsIn(expression));
  }
  // For computed values such as `upper(x)`, constants are tried as they are.
  if (expression.kind === 'function' || expression.kind === 'case')
    classes.join(cellsIn(expression, scope), constantsIn(expression));
  for (const child of childrenOf(expression)) classifyExpression(child, scope, classes);
}

function constantsIn(expression: Expression): readonly Scalar[] {
  if (expression.kind === 'constant') return listedIn(scalarOf(expression.value));
  // The key of a JSON operator is not a compared value.
  if (expression.kind === 'operation' && (expression.op === '->' || expression.op === '->>')) return [];
  return childrenOf(expression).flatMap(constantsIn);
}

/** The elements of a constant that is a list, too. */
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
