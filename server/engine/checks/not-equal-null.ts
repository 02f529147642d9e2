import type { Expr, Reference } from '../sql/ast.ts';
import type { Span } from '../text/span.ts';
import type { ConfigCheck } from './check.ts';

export const notEqualNull: ConfigCheck = {
  code: 'not-equal-null',
  usesCatalog: true,
  checkSelect: ({ select: { where }, role, options, catalog, columnOf, report }) => {
    if (!catalog || !where || options.sqliteEngine || (role !== 'synced' && role !== 'inner')) return;
    const terms = conjunction(where);
    const never = new Set(terms.flatMap(notNullIn));
    for (const { column, span } of terms.flatMap((term) => unequalColumn(term) ?? [])) {
      const name = column.column.text;
      if (!never.has(name) && columnOf(column)?.nullable) report('not-equal-null', span, { column: name });
    }
  },
};

/** Returns the terms that must all be true. */
function conjunction(where: Expr): readonly Expr[] {
  const terms: Expr[] = [];
  const waiting = [where];
  for (let expr = waiting.pop(); expr; expr = waiting.pop()) {
    if (expr.kind === 'binary' && expr.op === 'AND') waiting.push(expr.right, expr.left);
    else terms.push(expr);
  }
  return terms;
}

/**
 * Finds a condition `column != something`, which treats NULL in an unexpected way, unless the other side is a column of the same
 * row.
 */
function unequalColumn(term: Expr): { column: Reference; span: Span } | undefined {
  const { span } = term;
  if (term.kind === 'in' && term.negated && term.left.kind === 'reference')
    return { column: term.left, span };
  if (term.kind !== 'binary' || (term.op !== '!=' && term.op !== '<>')) return undefined;
  const [column, other] = term.left.kind === 'reference' ? [term.left, term.right] : [term.right, term.left];
  if (column.kind !== 'reference' || other.kind !== 'literal' || other.value.type === 'null')
    return undefined;
  return { column, span };
}

/** Returns the columns in `column IS NOT NULL`, and in comparisons that are not true for NULL. */
function notNullIn(term: Expr): string[] {
  switch (term.kind) {
    case 'is':
      return term.negated && term.test === 'null' ? columnsIn(term.operand) : [];
    case 'in':
      return term.negated ? [] : columnsIn(term.left);
    case 'binary':
      return strict.has(term.op) ? columnsIn(term.left, term.right) : [];
    default:
      return [];
  }
}

const strict: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>=']);

function columnsIn(...operands: readonly Expr[]): string[] {
  return operands.flatMap((operand) => (operand.kind === 'reference' ? [operand.column.text] : []));
}
