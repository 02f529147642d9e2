/** The common part of the three forms of parameter queries: named columns, some of which are parameters. */
import type { BucketDefinition, Priority } from '../../../model/definition.ts';
import type { Expr, Select, SelectColumn } from '../../../sql/ast.ts';
import type { Expression } from '../../expression.ts';
import type { BucketRoute, Lookup, RouteValue } from '../../plan.ts';
import { columnName } from '../columns.ts';
import { classify } from '../conditions/classify.ts';
import { checkCapitals, type QueryPlace, wholeQuery } from '../place.ts';
import type { ReadingScope } from '../scope.ts';

export interface ParameterPlace extends QueryPlace {
  readonly definition: BucketDefinition;
}

export interface ParameterForm {
  /** The bucket parameters in the order in which they are written. */
  readonly columns: readonly NamedColumn[];
  /** Absent after a problem. */
  readonly plan?: ParameterPlan;
}

export interface ParameterPlan {
  readonly routes: readonly ParameterRoute[];
  /** A priority that overrides that of the definition. */
  readonly priority?: Priority;
  /** All request data that the query reads. */
  readonly reads: readonly Expression[];
  /** The request data that decides which buckets a client gets. The query is safe if a value of the token is among it. */
  readonly decides: readonly Expression[];
}

/** A route before the order of its source's keys is known. */
export interface ParameterRoute extends Pick<BucketRoute, 'filter' | 'at'> {
  readonly values: ReadonlyMap<string, RouteValue>;
  readonly steps: (addLookup: (lookup: Lookup) => number) => BucketRoute['steps'];
}

export interface NamedColumn {
  readonly name: string;
  readonly column: SelectColumn;
}

/** Returns the columns with their names; undefined if a column has no name. */
export function readNames(scope: ReadingScope, { columns }: Select): readonly NamedColumn[] | undefined {
  const named = columns.flatMap((column) => {
    const { expr, alias } = column;
    checkCapitals(scope, alias);
    if (expr.kind === 'star') {
      scope.report('star-not-allowed', expr.span, {});
      return [];
    }
    const name = columnName(scope, column);
    return name === undefined ? [] : [{ name, column }];
  });
  return named.length === columns.length ? named : undefined;
}

/** The name of a column that is not a parameter but sets the priority of the buckets. */
const priorityColumn = '_priority';

export function withoutPriority(columns: readonly NamedColumn[]): readonly NamedColumn[] {
  return columns.filter(({ name }) => name !== priorityColumn);
}

/** Returns the priority that the query sets, if it is valid. */
export function readPriority(
  scope: ReadingScope,
  { definition }: ParameterPlace,
  columns: readonly NamedColumn[],
): Priority | undefined {
  const [first, second] = columns.filter(({ name }) => name === priorityColumn);
  if (!first) return undefined;
  if (second || definition.priority !== undefined) scope.report('priority-set-twice', wholeQuery(scope), {});
  return priorityOf(scope, first.column.expr);
}

function priorityOf(scope: ReadingScope, expr: Expr): Priority | undefined {
  if (expr.kind !== 'literal' || expr.value.type !== 'integer') {
    scope.report('priority-not-literal', expr.span, {});
    return undefined;
  }
  const priority = Number(expr.value.value);
  if (priority === 0 || priority === 1 || priority === 2 || priority === 3) return priority;
  scope.report('invalid-priority', expr.span, {});
  return undefined;
}

/**
 * Reports a priority column in a query over json_each(). There, the column is an ordinary parameter, but its value must still be a
 * valid priority.
 */
export function checkIgnoredPriority(scope: ReadingScope, columns: readonly NamedColumn[]): void {
  for (const { name, column } of columns) {
    if (name !== priorityColumn) continue;
    if (priorityOf(scope, column.expr) !== undefined) scope.report('priority-ignored', column.span, {});
  }
}

/**
 * Returns the value of an expression without rows. AND and OR of constants are not allowed, because they would be a condition on
 * rows.
 */
export function readValue(scope: ReadingScope, expr: Expr): Expression | undefined {
  const clause = classify(scope, expr);
  if (!clause) return undefined;
  if (clause.kind === 'request' || clause.kind === 'constant') return clause.expression;
  scope.report('match-not-allowed', expr.span, { place: 'no rows' });
  return undefined;
}

/** Returns all items, or undefined if one is missing because of a problem. */
export function allOf<T>(items: readonly (T | undefined)[]): readonly T[] | undefined {
  return items.every((item) => item !== undefined) ? (items as readonly T[]) : undefined;
}

export function requestRouteValue(value: Expression): RouteValue {
  return { kind: 'request', value, at: value.at };
}
