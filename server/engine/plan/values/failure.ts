/** Why an expression has no value for one row or one request. The rule that it belongs to is skipped for it. */
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
 * Thrown inside an evaluation and caught where the rule is run, which returns it as data: the closures of
 * expressions stay free of checks for it.
 */
export class EvaluationFailure extends Error {
  readonly code: RuntimeCode;

  constructor(code: RuntimeCode) {
    super(code);
    this.code = code;
  }
}

/**
 * The failure that ended an evaluation. A value too large for the host, such as a text beyond 512 MB, is also
 * one; any other exception is a fault of the engine, and is thrown again.
 */
export function failureFrom(thrown: unknown): EvaluationFailure {
  if (thrown instanceof EvaluationFailure) return thrown;
  if (thrown instanceof RangeError) return new EvaluationFailure('value-too-large');
  throw thrown;
}

export function fail(code: RuntimeCode): never {
  // The place in our code tells nobody anything, and collecting the stack is the dear part of an Error.
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const failure = new EvaluationFailure(code);
  Error.stackTraceLimit = limit;
  throw failure;
}
