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

/** `tinyint(1)` is what MySQL makes of a boolean. */
function isTruth(sourceType: string): boolean {
  return /^(bool|bit|tinyint)/i.test(sourceType);
}
