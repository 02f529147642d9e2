import { unlistedValueIn } from '../model/listedValues.ts';
import type { Expr } from '../sql/ast.ts';
import type { ConfigCheck, SelectSubject } from './check.ts';

/** Finds comparisons with values that an enum of the source does not list. Its columns never have any other value. */
export const unlistedValue: ConfigCheck = {
  code: 'unlisted-value',
  usesCatalog: true,
  checkExpression: (expr, subject) => {
    switch (expr.kind) {
      case 'binary':
        if (!equalities.has(expr.op)) return;
        compare(subject, expr.left, expr.right);
        compare(subject, expr.right, expr.left);
        return;
      case 'in':
        if (expr.right.kind === 'list')
          for (const item of expr.right.items) compare(subject, expr.left, item);
        return;
      case 'case':
        if (expr.operand) for (const { when } of expr.branches) compare(subject, expr.operand, when);
        return;
      default:
    }
  },
};

const equalities: ReadonlySet<string> = new Set(['=', '!=', '<>']);

function compare({ columnOf, report }: SelectSubject, column: Expr, { span, ...value }: Expr): void {
  if (column.kind !== 'reference' || value.kind !== 'literal' || value.value.type !== 'text') return;
  const unlisted = unlistedValueIn(columnOf(column) ?? {}, column.column.text, value.value.value);
  if (unlisted !== undefined) report('unlisted-value', span, unlisted);
}
