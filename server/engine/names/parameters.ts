/** Finds the places where a query names a value of the request: in a call, after an arrow, or as a column of an older table. */
import type { Expr, FunctionCall, Literal } from '../sql/ast.ts';
import type { Span } from '../text/span.ts';

interface NamedParameter {
  /** The part of the request. `auth` is signed with the token; the client chooses the other parts. */
  readonly part: 'auth' | 'connection' | 'subscription';
  readonly name: string;
  /** The span of the literal, including quotes. */
  readonly span: Span;
}

/** Functions that take a name. The functions in `whole` return an entire part. */
const single: Readonly<Record<string, NamedParameter['part']>> = {
  'auth.parameter': 'auth',
  'connection.parameter': 'connection',
  'subscription.parameter': 'subscription',
  'request.parameter': 'connection',
};

const whole: Readonly<Record<string, NamedParameter['part']>> = {
  'auth.parameters': 'auth',
  'connection.parameters': 'connection',
  'subscription.parameters': 'subscription',
  'request.jwt': 'auth',
  'request.parameters': 'connection',
};

/** Reads `connection.parameter('x')` or `connection.parameters() ->> 'x'`. A path such as `$.x.y` is not a name. */
export function parameterOf(expr: Expr): NamedParameter | undefined {
  if (expr.kind === 'call') return nameParameter(single[calleeOf(expr)], expr.args[0]);
  if (expr.kind === 'member' && expr.operand.kind === 'call')
    return nameParameter(whole[calleeOf(expr.operand)], expr.key);
  return undefined;
}

/**
 * Returns the part that `user_parameters.x` of a bucket definition reads. The claims of `token_parameters` are deeper in the token.
 */
export function parameterTableOf(table: string): 'connection' | undefined {
  return table === 'user_parameters' ? 'connection' : undefined;
}

/** Returns the part of the request that a function reads, with or without a name. */
export function partReadBy(schema: string | undefined, name: string): NamedParameter['part'] | undefined {
  const callee = `${schema ?? ''}.${name}`;
  return single[callee] ?? whole[callee];
}

function calleeOf({ schema, name }: FunctionCall): string {
  return `${schema?.text ?? ''}.${name.text.toLowerCase()}`;
}

function nameParameter(part: NamedParameter['part'] | undefined, key: Expr | Literal | undefined) {
  if (part === undefined || key?.kind !== 'literal' || key.value.type !== 'text') return undefined;
  const { value } = key.value;
  return value.startsWith('$') ? undefined : { part, name: value, span: key.span };
}
