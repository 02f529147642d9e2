import type { Expr } from '../sql/ast.ts';
import type { ConfigCheck } from './check.ts';

export const dottedKey: ConfigCheck = {
  code: 'dotted-key',
  checkExpression: (expr, { options, report }) => {
    const key = options.fixedJsonExtract ? keyOf(expr) : undefined;
    if (key?.kind !== 'literal' || key.value.type !== 'text') return;
    const { value } = key.value;
    if (dotted.test(value)) report('dotted-key', key.span, { path: `$.${value}` });
  },
};

/** Matches words with dots between them. A claim such as `https://example.com/role` is certainly a single key. */
const dotted = /^\w+(\.\w+)+$/;

function keyOf(expr: Expr): Expr | undefined {
  if (expr.kind === 'member') return expr.key;
  const takesKey = expr.kind === 'call' && expr.schema !== undefined && expr.name.text === 'parameter';
  return takesKey ? expr.args[0] : undefined;
}
