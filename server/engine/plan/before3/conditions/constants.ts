/** Computes constant parts of queries while they are read. A config in which such a part fails is rejected. */
import type { Expr, LiteralValue } from '../../../sql/ast.ts';
import { toEvaluator } from '../../evaluate/expression.ts';
import { noRequest, noRow, noTable } from '../../evaluate/scope.ts';
import type { Expression } from '../../expression.ts';
import { EvaluationFailure, type RuntimeCode } from '../../values/failure.ts';
import { arrayElements } from '../../values/jsonEach.ts';
import type { SqlValue } from '../../values/value.ts';
import type { ReadingScope } from '../scope.ts';

const nowhere = { row: noRow, table: noTable, suffix: '', elements: [], request: noRequest };

/** Returns the value of an expression of constants, or the expression itself if a plan cannot represent the value. */
export function constantOf(
  scope: ReadingScope,
  written: Expr,
  expression: Expression,
): Expression | undefined {
  try {
    const value = literalOf(toEvaluator(expression, scope.rules)(nowhere));
    return value ? { kind: 'constant', value, at: expression.at } : expression;
  } catch (failure) {
    if (!(failure instanceof EvaluationFailure)) throw failure;
    scope.report('constant-fails', written.span, {
      reason: reasons[failure.code] ?? 'its value is not defined',
    });
    return undefined;
  }
}

/** The largest integer that is computed here. Products of larger ones would take longer and longer. */
const largest = 2n ** 64n;

function literalOf(value: SqlValue): LiteralValue | undefined {
  switch (typeof value) {
    case 'string':
      return { type: 'text', value };
    case 'number':
      return { type: 'real', value };
    case 'bigint':
      return value < largest && value > -largest ? { type: 'integer', value } : undefined;
    default:
      return value === null ? { type: 'null' } : undefined;
  }
}

/** Whether a string is a JSON array, so that it can follow IN. */
export function isListText(text: string): boolean {
  try {
    return arrayElements(text) !== null;
  } catch (failure) {
    if (failure instanceof EvaluationFailure) return false;
    throw failure;
  }
}

const reasons: Partial<Record<RuntimeCode, string>> = {
  'invalid-json': 'the text is not JSON',
  'json-path-needs-dollar': 'a path must start with $',
  'json-keys-not-object': 'json_keys() needs an object',
  'not-a-json-array': 'the right side of IN must be a JSON array',
  'blob-comparison': 'blobs cannot be compared',
  'invalid-uuid': 'the text is not a UUID',
  'invalid-geometry': 'the value is not a geometry',
};
