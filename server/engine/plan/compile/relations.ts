/**
 * The items of FROM while a query is compiled, and values that know what they depend on.
 * Every use of a table, CTE or table function is a separate instance: a CTE that is used twice has two
 * instances of its tables.
 */
import type { Report } from '../../diagnostics/diagnostics.ts';
import type { CatalogTable } from '../../model/catalog.ts';
import type { Cte, SqlText } from '../../model/definition.ts';
import type { Scope } from '../../model/scope.ts';
import type { FunctionSource, SubquerySource, TableSource } from '../../sql/ast.ts';
import type { Expression, Origin } from '../expression.ts';
import type { TablePattern } from '../plan.ts';
import type { FindCte } from './ctes.ts';

/** A text that is compiled, and how its findings are said. */
export interface CompiledText {
  readonly index: number;
  /** Places in it, by their spans. */
  readonly origins: Map<number, Origin>;
  readonly source: SqlText;
  /** False for the text of a CTE that a query uses: it is checked on its own. */
  readonly own: boolean;
  /** The CTEs that can be used. None inside of a CTE. */
  readonly findCte: FindCte;
  /** Inside of a CTE, the others: their names would be read as tables and columns. */
  readonly findOutOfReach: FindCte;
  /** Silent in texts whose own problems are reported elsewhere. */
  readonly report: Report;
  /** For what only the use of the text brings to light. */
  readonly reportUse: Report;
}

/**
 * The IN or && beside a subquery, if that is negated or part of a larger expression. Whether *some* row makes
 * the whole true then differs from whether the whole is true of the set of rows.
 */
export interface EnclosingTest {
  readonly text: CompiledText;
  readonly at: Origin;
}

export interface TableRelation {
  readonly kind: 'table';
  readonly id: number;
  /** Alias or name. */
  readonly name: string;
  readonly syntax: TableSource;
  readonly text: CompiledText;
  readonly pattern: TablePattern;
  /** The tables of the catalog that it matches. Absent if nothing is known. */
  readonly known?: readonly CatalogTable[];
  readonly buried?: EnclosingTest;
}

/** A table function, in FROM or made by IN and &&. */
export interface FunctionRelation {
  readonly kind: 'function';
  readonly id: number;
  readonly name: string;
  readonly callee: string;
  readonly args: readonly Expression[];
  /** The dependency of its arguments. A function of constants joins the first table that it is used with. */
  base: 'request' | 'constants' | TableRelation;
  /** Absent when IN or && made it. */
  readonly syntax?: FunctionSource;
  readonly text: CompiledText;
  readonly at: Origin;
  readonly buried?: EnclosingTest;
  /** An argument that reads elements of another function beside its row. The reference breaks if this one is used. */
  readonly chained?: Origin;
  /** An IN that is tested as one value, so no plan has it; the reference would expand it. */
  readonly tested: boolean;
}

export interface SubqueryRelation {
  readonly kind: 'subquery';
  readonly name: string;
  readonly syntax: SubquerySource | TableSource;
  readonly cte?: Cte;
  /** Undefined for a column that has a problem of its own. */
  readonly columns: ReadonlyMap<string, DependentValue | undefined>;
  /** Whether some columns are unknown because of a problem that was reported. */
  readonly incomplete: boolean;
}

/** An item that cannot be read; whatever refers to it is left alone. */
export interface BrokenRelation {
  readonly kind: 'broken';
  readonly name: string;
}

export type QueryRelation = TableRelation | FunctionRelation | SubqueryRelation | BrokenRelation;

export type QueryScope = Scope<QueryRelation>;

export const request = { kind: 'request' } as const;

/** The possible dependencies of a value. */
export type Dependency = TableRelation | FunctionRelation | typeof request;

/** The first place of a value that depends on something, among neighbours that depend on the same. */
export interface Use {
  readonly of: Dependency;
  readonly text: CompiledText;
  readonly at: Origin;
}

/** A value with its dependencies, in reading order. */
export interface DependentValue {
  readonly expression: Expression;
  readonly uses: readonly Use[];
  /** Nodes in it, shared ones counted each time. */
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
