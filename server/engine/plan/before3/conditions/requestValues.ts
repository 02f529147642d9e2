/** Reads values of the request: its functions, and the tables `token_parameters` and `user_parameters`. */
import type { Expr, FunctionCall, Reference } from '../../../sql/ast.ts';
import { type RequestFunction, requestFunctions } from '../../../sql/functions.ts';
import type { Expression, RequestPart } from '../../expression.ts';
import { originIn } from '../place.ts';
import type { ReadingScope } from '../scope.ts';
import { unknownFunction } from './calls.ts';
import { classify } from './classify.ts';
import { type Clause, leafClause } from './clause.ts';

/** Reads a call: `request.*` in parameter queries; `auth.*`, `connection.*` and `subscription.*` in streams. */
export function requestCall(
  scope: ReadingScope,
  call: FunctionCall,
  where: RequestFunction['scope'],
): Clause | undefined {
  const schema = call.schema?.text ?? '';
  const name = call.name.text;
  const known = requestFunctions.find((f) => f.scope === where && f.schema === schema && f.name === name);
  if (!known) return unknownFunction(scope, call, `${schema}.${name}`, classify);
  const found = call.args.length;
  if (found < known.min || found > known.max) {
    const expected = known.max === 0 ? 'no argument' : '1 argument';
    scope.report('wrong-argument-count', call.span, { name: `${schema}.${name}`, expected, found });
    return undefined;
  }
  return requestValue(scope, call, known);
}

/** The parts of a request by the schema of the functions that read them. */
const partOf: Readonly<Record<string, RequestPart>> = {
  auth: 'auth',
  connection: 'connection',
  subscription: 'subscription',
};

function requestValue(
  scope: ReadingScope,
  call: FunctionCall,
  { schema, name }: RequestFunction,
): Clause | undefined {
  const at = originIn(scope, call.span);
  if (name === 'user_id') return leafClause('request', { kind: 'request', part: 'auth', path: ['sub'], at });
  if (name === 'jwt') return leafClause('request', { kind: 'request', part: 'auth', at });
  const part = partOf[schema] ?? 'connection';
  if (name === 'parameters') return leafClause('request', { kind: 'request', part, at });
  const [arg] = call.args;
  if (arg?.kind !== 'literal') return notLiteral(scope, call, arg);
  const { value } = arg;
  if (value.type !== 'text') return leafClause('request', { kind: 'constant', value: { type: 'null' }, at });
  const key = value.value;
  if (schema === 'request' || !key.startsWith('$.')) {
    return leafClause('request', { kind: 'request', part, path: [key], at });
  }
  const path: Expression = { kind: 'constant', value, at: originIn(scope, arg.span) };
  const document: Expression = { kind: 'request', part, at };
  return leafClause('request', { kind: 'operation', op: '->>', args: [document, path], at });
}

/** Reports an argument that is not a literal, where the service stops with an internal message. */
function notLiteral(scope: ReadingScope, call: FunctionCall, arg: Expr | undefined): undefined {
  if (arg) classify(scope, arg);
  const name = `${call.schema?.text}.${call.name.text}`;
  const what = `The name in ${name}() must be a literal: '…'.`;
  scope.report('internal-error', (arg ?? call).span, { what });
  return undefined;
}

/** Reads `token_parameters.x` and `user_parameters.x`, the older form. */
export function parameterTable(
  scope: ReadingScope,
  { column, span }: Reference,
  qualifier: string | undefined,
): Clause | undefined {
  const at = originIn(scope, span);
  const key = column.text;
  if (qualifier === 'user_parameters') {
    return ofTable(qualifier, { kind: 'request', part: 'connection', path: [key], at });
  }
  if (qualifier !== 'token_parameters') return undefined;
  const path = key === 'user_id' ? ['sub'] : ['parameters', key];
  return ofTable(qualifier, { kind: 'request', part: 'auth', path, at });
}

function ofTable(tables: string, expression: Expression): Clause {
  return { ...leafClause('request', expression), tables };
}

export const parameterTables: readonly string[] = ['token_parameters', 'user_parameters'];
