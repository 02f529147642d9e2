import type { Expr } from '../sql/ast.ts';
import { nearest } from '../text/nearest.ts';
import type { ConfigCheck, SelectSubject } from './check.ts';

/** An enum of the source lists its values: a column is never equal to anything else. */
export const unlistedValue: ConfigCheck = {
  code: 'unlisted-value',
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

/** Longer lists are not read. */
const mostListed = 8;

function compare({ columnOf, report }: SelectSubject, column: Expr, { span, ...value }: Expr): void {
  if (column.kind !== 'reference' || value.kind !== 'literal' || value.value.type !== 'text') return;
  const { values, sourceType = 'text' } = columnOf(column) ?? {};
  const text = value.value.value;
  if (values === undefined || ofConstraint.test(sourceType) || values.includes(text)) return;
  const rest = values.length > mostListed ? ', …' : '';
  report('unlisted-value', span, {
    column: column.column.text,
    value: text,
    listed:
      values
        .slice(0, mostListed)
        .map((each) => `\`${each}\``)
        .join(', ') + rest,
    near: nearest(text, values),
  });
}

/** What a CHECK lists may have become more since: constraints that are dropped are not read. */
const ofConstraint = /^(?:text|citext|(?:var|bp)?char\b|character\b|name$)/i;
