/**
 * IS TRUE on a number
 *
 * TRUE is 1 here, so `IS TRUE` is a comparison with 1, and false for any other number.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id text, stars integer)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE stars IS TRUE
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE stars > 0
 * ```
 */
import type { Rule } from './rule.ts';

export const isTrueNumber: Rule = {
  code: 'is-true-number',
  checkExpression: (expr, { columnOf, catalog, report }) => {
    if (!catalog || expr.kind !== 'is' || expr.test !== 'true' || expr.operand.kind !== 'reference') return;
    const { type, sourceType } = columnOf(expr.operand) ?? {};
    if (type !== 'integer' && type !== 'real') return;
    if (sourceType !== undefined && !isTruth(sourceType)) report('is-true-number', expr.span, {});
  },
};

/** `tinyint(1)` is what MySQL makes of a boolean. */
function isTruth(sourceType: string): boolean {
  return /^(bool|bit|tinyint)/i.test(sourceType);
}
