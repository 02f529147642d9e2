/** The parts of a query, and the code that both forms of queries share. */
import type { Expression } from '../plan/expression.ts';
import type { BucketRoute, Lookup, RouteStep, RowRule } from '../plan/plan.ts';
import type { StarColumns } from './columns.ts';
import type { Names } from './expressions.ts';
import type { Refusals } from './refusals.ts';

export interface QueryParts {
  readonly rule: RowRule;
  readonly route: BucketRoute;
  readonly lookups: readonly Lookup[];
}

export interface QueryWorld {
  readonly refusals: Refusals;
  readonly wholeKeys: boolean;
  readonly starColumns: StarColumns;
  /** Registers a subquery that several queries may share, and returns the text after IN. */
  readonly share: (subquery: string) => string;
}

export function stepOutputs(step: RouteStep, lookups: readonly Lookup[]): readonly Expression[] {
  return step.kind === 'expand' ? step.outputs : (lookups[step.lookup]?.outputs ?? []);
}

export function namesOf({ refusals, wholeKeys }: QueryWorld, table: string): Omit<Names, 'elements'> {
  return { ...refusals, table, wholeKeys };
}

export function selectText(columns: string, from: string, conditions: readonly string[]): string {
  const all = [...new Set(conditions)].join(' AND ');
  return `SELECT ${columns} FROM ${from}${all === '' ? '' : ` WHERE ${all}`}`;
}
