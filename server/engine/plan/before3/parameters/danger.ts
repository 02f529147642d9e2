/** Finds parameter queries whose buckets any client can choose. */
import { childrenOf, type Expression, type RequestData } from '../../expression.ts';
import type { ParameterPlan } from './parameterColumns.ts';

/** Returns a value that the client chooses freely, if no value of the token decides about the buckets. */
export function clientChoice({ reads, decides }: ParameterPlan): RequestData | undefined {
  if (decides.some((value) => findPart(value, 'auth'))) return undefined;
  for (const value of reads) {
    const choice = findPart(value, 'connection');
    if (choice) return choice;
  }
  return undefined;
}

function findPart(expression: Expression, part: RequestData['part']): RequestData | undefined {
  if (expression.kind === 'request' && expression.part === part) return expression;
  for (const child of childrenOf(expression)) {
    const found = findPart(child, part);
    if (found) return found;
  }
  return undefined;
}
