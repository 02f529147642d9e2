/**
 * The dependencies of expressions in bucket definitions and streams before edition 3. They decide where an expression may be used.
 * `undefined` is an expression whose problem has been reported.
 */
import { type Expression, expressionText } from '../../expression.ts';
import type { BucketCondition } from './condition.ts';

export type Clause = ValueClause | BucketParameter | Match;

/** A value that is computed from constants, from one row or from the request, but never from two of them. */
export interface ValueClause {
  readonly kind: 'constant' | 'row' | 'request';
  readonly expression: Expression;
  readonly depth: number;
  /** The older parameter table that the value names, such as `user_parameters`. */
  readonly tables?: string;
}

/** A bucket parameter on its own: `bucket.x`. */
export interface BucketParameter {
  readonly kind: 'parameter';
  readonly name: string;
}

/** A condition that compares row data with the request or with a bucket parameter. */
export interface Match {
  readonly kind: 'match';
  readonly condition: BucketCondition;
  /**
   * The values with which rows are compared, as written, by {@link comparisonKey}. This match owns the map until a larger match
   * takes it over.
   */
  readonly parameters: Map<string, string>;
  /** Whether a parameter is searched for in an array of the row. */
  readonly searchesRow: boolean;
}

/**
 * Returns the key by which a service compares parameters. It distinguishes `user_parameters.x` from `request.parameter('x')`
 * although their values are equal.
 */
export function comparisonKey(parameter: ValueClause | BucketParameter): string {
  if (parameter.kind === 'parameter') return parameter.name;
  return `${expressionText(parameter.expression)}${parameter.tables ?? ''}`;
}

/** Returns the key of a value that is looked up among the elements of an array. */
export function elementKeyOf(array: ValueClause): string {
  return `${comparisonKey(array)}${elementMark}`;
}

export function isElementKey(key: string): boolean {
  return key.endsWith(elementMark);
}

const elementMark = '[*]';

export function leafClause(kind: ValueClause['kind'], expression: Expression): ValueClause {
  return { kind, expression, depth: 1 };
}
