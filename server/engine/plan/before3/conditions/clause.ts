/**
 * The dependencies of expressions in bucket definitions and in streams before edition 3, which decide where an expression may
 * be used. `undefined` is an expression whose problem was reported.
 */
import { type Expression, expressionText } from '../../expression.ts';
import type { BucketCondition } from './condition.ts';

export type Clause = ValueClause | BucketParameter | Match;

/** Computed from constants, from one row or from the request, never from two of them. */
export interface ValueClause {
  readonly kind: 'constant' | 'row' | 'request';
  readonly expression: Expression;
  readonly depth: number;
  /** The older parameter tables that it names, such as `user_parameters`. */
  readonly tables?: string;
}

/** `bucket.x`, alone. */
export interface BucketParameter {
  readonly kind: 'parameter';
  readonly name: string;
}

/** A condition in which row data meets the request or a bucket parameter. */
export interface Match {
  readonly kind: 'match';
  readonly condition: BucketCondition;
  /**
   * The values that rows are compared with, as written, by {@link comparisonKey}. Owned by this match: a larger match takes it
   * over.
   */
  readonly parameters: Map<string, string>;
  /** Looks for a parameter in an array of the row. */
  readonly searchesRow: boolean;
}

/**
 * The key by which a service compares parameters. It distinguishes `user_parameters.x` from
 * `request.parameter('x')`, though their values are equal.
 */
export function comparisonKey(parameter: ValueClause | BucketParameter): string {
  if (parameter.kind === 'parameter') return parameter.name;
  return `${expressionText(parameter.expression)}${parameter.tables ?? ''}`;
}

/** The key of a value that is looked up among the elements of an array. */
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
