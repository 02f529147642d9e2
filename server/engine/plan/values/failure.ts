/** Why an expression has no value for one row or request. Its rule is skipped for that row or request. */
export type RuntimeCode =
  | 'invalid-json'
  | 'json-each-invalid-json'
  | 'json-each-not-text'
  | 'json-each-argument-count'
  | 'json-too-deep'
  | 'json-path-needs-dollar'
  | 'invalid-json-path'
  | 'json-keys-not-object'
  | 'not-a-json-array'
  | 'blob-comparison'
  | 'invalid-uuid'
  | 'invalid-geometry'
  | 'operator-not-evaluable'
  | 'function-not-evaluable'
  | 'unknown-table-function'
  | 'missing-column'
  | 'too-many-results'
  | 'value-too-large';

/**
 * The exception for a failed evaluation. It is caught where the rule is run and returned as data, so the closures of expressions
 * need no checks for it.
 */
export class EvaluationFailure extends Error {
  readonly code: RuntimeCode;

  constructor(code: RuntimeCode) {
    super(code);
    this.code = code;
  }
}

/**
 * Returns the failure that ended an evaluation. A value that is too large for the host, such as a text of more than 512 MB, is also
 * a failure. Any other exception is a bug of the engine and is thrown again.
 */
export function failureFrom(thrown: unknown): EvaluationFailure {
  if (thrown instanceof EvaluationFailure) return thrown;
  if (thrown instanceof RangeError) return new EvaluationFailure('value-too-large');
  throw thrown;
}

export function fail(code: RuntimeCode): never {
  // The stack is not collected, because a place in our code is not useful to a user, and collecting it is the expensive part of an
  // Error.
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const failure = new EvaluationFailure(code);
  Error.stackTraceLimit = limit;
  throw failure;
}
