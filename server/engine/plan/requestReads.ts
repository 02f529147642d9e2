/** Finds the parts of a request that an expression reads: from the token, the connection or the subscription. */

import { childrenOf, type Expression, type RequestPart } from './expression.ts';
import { meetingsOf } from './meetings.ts';
import type { StreamPlan } from './plan.ts';

interface RequestRead {
  readonly part: RequestPart;
  /** The property names from the outermost to the innermost. An empty list means the entire part. */
  readonly path: readonly string[];
}

export function requestReadsIn(expression: Expression): readonly RequestRead[] {
  const read = requestReadOf(expression);
  return read === undefined ? childrenOf(expression).flatMap(requestReadsIn) : [read];
}

/** Returns the read of an expression that is only one value of the request, such as `auth.user_id()`. */
export function requestReadOf(expression: Expression): RequestRead | undefined {
  if (expression.kind === 'request') return { part: expression.part, path: expression.path ?? [] };
  if (expression.kind !== 'operation' || (expression.op !== '->>' && expression.op !== '->'))
    return undefined;
  const [document, key] = expression.args;
  const inside = document && requestReadOf(document);
  if (inside === undefined || key?.kind !== 'constant' || key.value.type !== 'text') return undefined;
  const names = key.value.value.startsWith('$.') ? key.value.value.slice(2).split('.') : [key.value.value];
  return { part: inside.part, path: [...inside.path, ...names] };
}

/** Returns all expressions of a plan that are computed from a request. */
export function requestExpressionsOf({ routes }: Pick<StreamPlan, 'routes'>): readonly Expression[] {
  return routes.flatMap(({ filter, steps, keys }) => [
    ...filter,
    ...meetingsOf({ keys, steps })
      .flat()
      .flatMap((value) => (value.kind === 'request' ? [value.value] : [])),
    ...steps.flatMap((step) =>
      step.kind === 'expand' ? [...step.expansion.args, ...step.filter, ...step.outputs] : [],
    ),
  ]);
}

/** Returns all parts of a request that a plan reads. */
export function requestReads(plan: Pick<StreamPlan, 'routes'>): readonly RequestRead[] {
  return requestExpressionsOf(plan).flatMap(requestReadsIn);
}
