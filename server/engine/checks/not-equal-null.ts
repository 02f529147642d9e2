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

/** The terms that must all be true. */
function conjunction(where: Expr): readonly Expr[] {
  const terms: Expr[] = [];
  const waiting = [where];
  for (let expr = waiting.pop(); expr; expr = waiting.pop()) {
    if (expr.kind === 'binary' && expr.op === 'AND') waiting.push(expr.right, expr.left);
    else terms.push(expr);
  }
  return terms;
}

/** `column != something`, where NULL is something else than meant, unless it is a value of the same row. */
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

/** The columns in `column IS NOT NULL`, or in a comparison that NULL does not pass. */
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
