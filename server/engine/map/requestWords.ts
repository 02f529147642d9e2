/** The values of a request that an expression reads, by their names. */
import { childrenOf, type Expression, type RequestPart } from '../plan/expression.ts';

interface RequestValue {
  readonly part: RequestPart;
  /** A name such as `sub` or `org.id`; empty for the entire part. */
  readonly name: string;
}

export function requestValuesIn(expression: Expression): readonly RequestValue[] {
  if (expression.kind === 'request')
    return [{ part: expression.part, name: (expression.path ?? []).join('.') }];
  const children = childrenOf(expression).flatMap(requestValuesIn);
  const isProperty = expression.kind === 'operation' && (expression.op === '->' || expression.op === '->>');
  const key = isProperty ? expression.args[1] : undefined;
  if (key?.kind !== 'constant' || key.value.type !== 'text') return children;
  const property = key.value.value.replace(/^\$\.?/, '');
  return children.map(({ part, name }) => ({ part, name: name === '' ? property : `${name}.${property}` }));
}

/** Returns the names of the claims. The user id is `sub`. */
export function claimsIn(expression: Expression): readonly string[] {
  return requestValuesIn(expression).flatMap(({ part, name }) =>
    part === 'auth' ? [name === '' ? 'sub' : name] : [],
  );
}
