/**
 * The *cells* that expressions read. The search for a counterexample assigns values to cells, and thereby creates a database and a
 * request. A cell is a column of a table, a value of the request, a value inside a JSON cell, or an element of a list.
 */
import { childrenOf, type Expression, type RequestPart } from '../../plan/expression.ts';
import type { Expansion } from '../../plan/plan.ts';
import { namesOfKey } from '../../plan/values/jsonPath.ts';

export interface Cell {
  /** A table as the config names it, or a part of the request. */
  readonly of: { readonly table: string } | { readonly part: RequestPart };
  /** The column or claim, followed by the JSON keys inside it. Empty: the entire part of the request. */
  readonly path: readonly string[];
  /** Present for an element of the list at this path. */
  readonly isElement?: true;
}

/** The context in which an expression is computed. */
export interface CellScope {
  /** The table. Absent for an expression that is computed only from the request. */
  readonly table?: string;
  readonly expansions: readonly Expansion[];
}

export function keyOfCell({ of, path, isElement }: Cell): string {
  const whose = 'table' in of ? `table ${of.table}` : of.part;
  return JSON.stringify([whose, ...path, ...(isElement ? [0] : [])]);
}

/** Returns the cell that an expression reads directly; undefined for a computed expression. */
export function cellOf(expression: Expression, scope: CellScope): Cell | undefined {
  switch (expression.kind) {
    case 'column':
      return scope.table === undefined ? undefined : { of: { table: scope.table }, path: [expression.name] };
    case 'request':
      return { of: { part: expression.part }, path: expression.path ?? [] };
    case 'element': {
      const list = scope.expansions[expression.expansion]?.args[0];
      const cell = list && expression.name === 'value' ? cellOf(list, scope) : undefined;
      return cell && { ...cell, isElement: true };
    }
    case 'operation': {
      if (expression.op !== '->>' && expression.op !== '->') return undefined;
      const [document, key] = expression.args;
      const inside = document && cellOf(document, scope);
      if (inside === undefined || key?.kind !== 'constant' || key.value.type !== 'text') return undefined;
      const names = namesOfKey(key.value.value);
      return names && { ...inside, path: [...inside.path, ...names] };
    }
    case 'function': {
      const [document, path, ...more] = expression.args;
      if (expression.name !== 'json_extract' || path?.kind !== 'constant' || more.length > 0)
        return undefined;
      const inside = document && cellOf(document, scope);
      // A path such as `$.list[0]` counts as a computed value.
      const names = path.value.type === 'text' && /^\$(?:\.\w+)+$/.test(path.value.value);
      return inside && names
        ? { ...inside, path: [...inside.path, ...path.value.value.slice(2).split('.')] }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns all cells that an expression reads. */
export function cellsIn(expression: Expression, scope: CellScope): readonly Cell[] {
  const cell = cellOf(expression, scope);
  return cell === undefined ? childrenOf(expression).flatMap((child) => cellsIn(child, scope)) : [cell];
}

/** Whether the inner cell is a value inside the JSON document of the outer one. */
export function isInside(inner: Cell, outer: Cell): boolean {
  return (
    JSON.stringify(inner.of) === JSON.stringify(outer.of) &&
    inner.path.length > outer.path.length &&
    outer.path.every((name, index) => inner.path[index] === name)
  );
}
