import type { BranchLink } from '../plan/compile/compile.ts';
import { childrenOf, type Expression, type Origin } from '../plan/expression.ts';
import type { ConfigCheck } from './check.ts';

export const defaultStreamWithSubscriptionParameter: ConfigCheck = {
  code: 'default-stream-with-subscription-parameter',
  checkStream: ({ stream, compiled, report }) => {
    if (!stream.autoSubscribe) return;
    for (const { branches = [] } of compiled.queries) {
      const places = branches.map(({ links }) => firstOf(links.map(subscriptionIn)));
      const [first] = places;
      if (first && !places.includes(undefined))
        report('default-stream-with-subscription-parameter', first, {});
    }
  },
};

/** Returns the place where a condition requires a value of the subscription. */
function subscriptionIn(link: BranchLink): Origin | undefined {
  const sides = link.kind === 'match' ? [link.left, link.right] : [link.side];
  return firstOf(sides.map(({ value }) => subscriptionInValue(value.expression)));
}

/** Functions and operators by which a query handles NULL, so that a missing value is allowed. */
const provideForNull: ReadonlySet<string> = new Set([
  'or',
  'not',
  'is null',
  'is true',
  'is false',
  'ifnull',
  'iif',
]);

function subscriptionInValue(expression: Expression): Origin | undefined {
  switch (expression.kind) {
    case 'request':
      return expression.part === 'subscription' ? expression.at : undefined;
    case 'operation':
      if (provideForNull.has(expression.op)) return undefined;
      break;
    case 'function':
      if (provideForNull.has(expression.name)) return undefined;
      break;
    case 'case':
      return undefined;
    default:
  }
  return firstOf(childrenOf(expression).map(subscriptionInValue));
}

function firstOf<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}
