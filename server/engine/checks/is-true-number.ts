import type { ConfigCheck } from './check.ts';

export const isTrueNumber: ConfigCheck = {
  code: 'is-true-number',
  usesCatalog: true,
  checkExpression: (expr, { columnOf, catalog, report }) => {
    if (!catalog || expr.kind !== 'is' || expr.test !== 'true' || expr.operand.kind !== 'reference') return;
    const { type, sourceType } = columnOf(expr.operand) ?? {};
    if (type !== 'integer' && type !== 'real') return;
    if (sourceType !== undefined && !isTruth(sourceType)) report('is-true-number', expr.span, {});
  },
};

/** Whether a column is a boolean. MySQL stores booleans as `tinyint(1)`. */
function isTruth(sourceType: string): boolean {
  return /^(bool|bit|tinyint)/i.test(sourceType);
}
