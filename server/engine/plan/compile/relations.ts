/**
 * The items of FROM while a query is compiled, and values with their dependencies. Every use of a table, CTE or table function is a
 * separate instance: a CTE that is used twice has two instances of its tables.
 */
import type { Report } from '../../diagnostics/diagnostics.ts';
import type { CatalogTable } from '../../model/catalog.ts';
import type { Cte, SqlText } from '../../model/definition.ts';
import type { Scope } from '../../model/scope.ts';
import type { FunctionSource, SubquerySource, TableSource } from '../../sql/ast.ts';
import type { Expression, Origin } from '../expression.ts';
import type { TablePattern } from '../plan.ts';
import type { FindCte } from './ctes.ts';

/** A text that is being compiled, and how its findings are reported. */
export interface CompiledText {
  readonly index: number;
  /** The places in the text, by their spans. */
  readonly origins: Map<number, Origin>;
  readonly source: SqlText;
  /**
   * Whether problems of the text itself are reported. False for the text of a CTE that a query uses, because it is checked
   * separately.
   */
  readonly own: boolean;
  /** Finds the CTEs that can be used. There are none inside a CTE. */
  readonly findCte: FindCte;
  /** Finds the CTEs that cannot be used, which are all other CTEs inside a CTE. Their names would be read as tables and columns. */
  readonly findOutOfReach: FindCte;
  /** Reports problems. Does nothing in texts whose own problems are reported elsewhere. */
  readonly report: Report;
  /** Reports problems that appear only when the text is used. */
  readonly reportUse: Report;
}

/**
 * The IN or && next to a subquery, if it is negated or part of a larger expression. In that case, the expression may be true for
 * *some* row of the subquery although it is not true for the set of all its rows.
 */
export interface EnclosingTest {
  readonly text: CompiledText;
  readonly at: Origin;
}

export interface TableRelation {
  readonly kind: 'table';
  readonly id: number;
  /** The alias or name. */
  readonly name: string;
  readonly syntax: TableSource;
  readonly text: CompiledText;
  readonly pattern: TablePattern;
  /** The matching tables of the catalog; absent without a catalog. */
  readonly known?: readonly CatalogTable[];
  readonly buried?: EnclosingTest;
}

/** A table function in FROM, or the implicit one of IN and &&. */
export interface FunctionRelation {
  readonly kind: 'function';
  readonly id: number;
  readonly name: string;
  readonly callee: string;
  readonly args: readonly Expression[];
  /** The dependency of the arguments. A function of constants joins the first table with which it is used. */
  base: 'request' | 'constants' | TableRelation;
  /** Absent for the implicit function of IN and &&. */
  readonly syntax?: FunctionSource;
  readonly text: CompiledText;
  readonly at: Origin;
  readonly buried?: EnclosingTest;
  /** An argument that reads elements of another function in addition to its row. The reference breaks if this function is used. */
  readonly chained?: Origin;
  /** Whether the function belongs to an IN that is tested as one value. No plan has it, but the reference would expand it. */
  readonly tested: boolean;
}

export interface SubqueryRelation {
  readonly kind: 'subquery';
  readonly name: string;
  readonly syntax: SubquerySource | TableSource;
  readonly cte?: Cte;
  /** The columns by name; undefined for a column that has its own problem. */
  readonly columns: ReadonlyMap<string, DependentValue | undefined>;
  /** Whether some columns are unknown because of a reported problem. */
  readonly incomplete: boolean;
}

/** An item that cannot be read. References to it are not checked. */
export interface BrokenRelation {
  readonly kind: 'broken';
  readonly name: string;
}

export type QueryRelation = TableRelation | FunctionRelation | SubqueryRelation | BrokenRelation;

export type QueryScope = Scope<QueryRelation>;

export const request = { kind: 'request' } as const;

/** The possible dependencies of a value. */
export type Dependency = TableRelation | FunctionRelation | typeof request;

/** The first of several neighbouring places with the same dependency. */
export interface Use {
  readonly of: Dependency;
  readonly text: CompiledText;
  readonly at: Origin;
}

/** A value with its dependencies, in reading order. */
export interface DependentValue {
  readonly expression: Expression;
  readonly uses: readonly Use[];
  /** The number of nodes in the value. Shared nodes are counted each time. */
  readonly size: number;
  readonly depth: number;
}

export function joinUses(parts: readonly DependentValue[]): readonly Use[] {
  const filled = parts.filter(({ uses }) => uses.length > 0);
  const first = filled[0];
  if (first === undefined) return [];
  if (filled.every(({ uses }) => uses.length === 1 && uses[0]?.of === first.uses[0]?.of)) return first.uses;
  const joined: Use[] = [];
  for (const { uses } of filled) {
    for (const use of uses) if (joined.at(-1)?.of !== use.of) joined.push(use);
  }
  return joined;
}
