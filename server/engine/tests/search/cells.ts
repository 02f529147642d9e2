/**
 * The *cells* that expressions read. The search for a counterexample gives values to cells, and so makes a database and a
 * request. A cell is a column of a table, a value of the request, a value inside of a JSON cell, or an element of a cell that
 * is a list.
 */
import { childrenOf, type Expression, type RequestPart } from '../../plan/expression.ts';
import type { Expansion } from '../../plan/plan.ts';

export interface Cell {
  /** A table as the config names it, or a part of the request. */
  readonly of: { readonly table: string } | { readonly part: RequestPart };
  /** Column or claim, then the keys of JSON inside. Empty: all of the request's part. */
  readonly path: readonly string[];
  /** An element of the list that is there. */
  readonly isElement?: true;
}

/** The place in which an expression is computed. */
export interface CellScope {
  /** Absent for one that is computed from the request alone. */
  readonly table?: string;
  readonly expansions: readonly Expansion[];
}

export function keyOfCell({ of, path, isElement }: Cell): string {
  const whose = 'table' in of ? `table ${of.table}` : of.part;
  return JSON.stringify([whose, ...path, ...(isElement ? [0] : [])]);
}

/** Returns the cell that an expression is; undefined for a computed expression. */
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
      const { value } = key.value;
      const names = value.startsWith('$.') ? value.slice(2).split('.') : [value];
      return { ...inside, path: [...inside.path, ...names] };
    }
    case 'function': {
      const [document, path, ...more] = expression.args;
      if (expression.name !== 'json_extract' || path?.kind !== 'constant' || more.length > 0)
        return undefined;
      const inside = document && cellOf(document, scope);
      // A path such as `$.list[0]` leads to a computed value.
      const names = path.value.type === 'text' && /^\$(?:\.\w+)+$/.test(path.value.value);
      return inside && names
        ? { ...inside, path: [...inside.path, ...path.value.value.slice(2).split('.')] }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** All cells that an expression reads. */
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
