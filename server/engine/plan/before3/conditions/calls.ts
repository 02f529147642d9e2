/**
 * Reads calls of ordinary functions. Argument counts are not checked here, because the service does not check them either. It only
 * cannot read `substring(x)`, which begins like `substring(x FROM 1)`.
 */
import type { Expr, FunctionCall } from '../../../sql/ast.ts';
import { functionAlternatives, functions } from '../../../sql/functions.ts';
import { nearest } from '../../../text/nearest.ts';
import type { Expression } from '../../expression.ts';
import { originIn } from '../place.ts';
import type { ReadingScope } from '../scope.ts';
import type { Clause } from './clause.ts';
import { combineClauses, type Operand } from './combine.ts';

/** Reads an argument. */
type ReadArgument = (scope: ReadingScope, expr: Expr) => Clause | undefined;

export function callValue(scope: ReadingScope, call: FunctionCall, read: ReadArgument): Clause | undefined {
  if (call.schema) return scope.resolveCall(scope, call);
  const known = functions.get(call.name.text);
  if (!known || known.only === 'streams') return unknownFunction(scope, call, call.name.text, read);
  if (known.name === 'substring' && call.args.length === 1)
    scope.report('wrong-argument-count', call.span, {
      name: known.name,
      expected: '2 to 3 arguments',
      found: 1,
    });
  const operands = call.args.map((arg): Operand => [read(scope, arg), arg]);
  return combineClauses(scope, call, operands, (args) => ({
    kind: 'function',
    name: known.name,
    args: padArguments(args, known.min, originIn(scope, call.span)),
    at: originIn(scope, call.span),
  }));
}

/** Adds NULL for each missing argument. */
function padArguments(args: readonly Expression[], min: number, at: Expression['at']): readonly Expression[] {
  if (args.length >= min) return args;
  const missing: Expression = { kind: 'constant', value: { type: 'null' }, at };
  return [...args, ...new Array<Expression>(min - args.length).fill(missing)];
}

/** Reports an unknown function. Problems of its arguments are also reported, but a star among them is not a problem in itself. */
export function unknownFunction(
  scope: ReadingScope,
  call: FunctionCall,
  name: string,
  read: ReadArgument,
): undefined {
  const instead = requestAlternatives.get(name) ?? functionAlternatives.get(name);
  scope.report('unknown-function', call.span, {
    name,
    ...(instead ? { instead } : { near: nearest(name, functions) }),
  });
  for (const arg of call.args) if (arg.kind !== 'star') read(scope, arg);
  return undefined;
}

/** Advice for stream functions in parameter queries, and for parameter query functions in streams. */
const requestAlternatives: ReadonlyMap<string, string> = new Map([
  ['auth.user_id', 'In a parameter query write request.user_id().'],
  ['auth.parameters', 'In a parameter query write request.jwt().'],
  ['auth.parameter', "In a parameter query write request.jwt() ->> '…'."],
  ['connection.parameters', 'In a parameter query write request.parameters().'],
  ['connection.parameter', "In a parameter query write request.parameter('…')."],
  ['subscription.parameters', 'Bucket definitions have no subscriptions.'],
  ['subscription.parameter', 'Bucket definitions have no subscriptions.'],
  ['request.user_id', 'In a stream write auth.user_id().'],
  ['request.jwt', 'In a stream write auth.parameters().'],
  ['request.parameters', 'In a stream write connection.parameters().'],
  ['request.parameter', "In a stream write connection.parameter('…')."],
]);
