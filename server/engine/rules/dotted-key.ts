/**
 * A path without $
 *
 * The key behind `->`, `->>` and in `parameter()` is one key, also with dots in it. Only a text that begins with `$.`
 * is a path into nested objects. In edition 1, where `fixed_json_extract` is off, both were paths.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE org_id = auth.parameter('app_metadata.org_id')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE org_id = auth.parameter('$.app_metadata.org_id')
 * ```
 */
import type { Expr } from '../sql/ast.ts';
import type { Rule } from './rule.ts';

export const dottedKey: Rule = {
  code: 'dotted-key',
  checkExpression: (expr, { options, report }) => {
    const key = options.fixedJsonExtract ? keyOf(expr) : undefined;
    if (key?.kind !== 'literal' || key.value.type !== 'text') return;
    const { value } = key.value;
    if (DOTTED.test(value)) report('dotted-key', key.span, { path: `$.${value}` });
  },
};

/** Words with dots between them; a claim such as `https://example.com/role` is surely one key. */
const DOTTED = /^\w+(\.\w+)+$/;

function keyOf(expr: Expr): Expr | undefined {
  if (expr.kind === 'member') return expr.key;
  const takesKey = expr.kind === 'call' && expr.schema !== undefined && expr.name.text === 'parameter';
  return takesKey ? expr.args[0] : undefined;
}
