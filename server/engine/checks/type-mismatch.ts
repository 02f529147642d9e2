import type { Args } from '../diagnostics/diagnostics.ts';
import type { Expr, In, Is, Literal } from '../sql/ast.ts';
import type { ConfigCheck, SelectSubject } from './check.ts';
import { valueClassOf } from './valueClass.ts';

export const typeMismatch: ConfigCheck = {
  code: 'type-mismatch',
  usesCatalog: true,
  checkExpression: (expr, subject) => {
    switch (expr.kind) {
      case 'binary':
        if (comparisons.has(expr.op)) compare(subject, expr, expr.left, expr.right, resultOf(expr.op));
        return;
      case 'between':
        compare(subject, expr, expr.operand, expr.low, 'order');
        return;
      case 'in':
        compareWithList(subject, expr);
        return;
      case 'is':
        if (expr.test !== 'null') compareWithTruth(subject, expr);
        return;
      default:
    }
  },
};

type Result = Args<'type-mismatch'>['result'];

const comparisons: ReadonlySet<string> = new Set(['=', '!=', '<>', '<', '<=', '>', '>=']);

function resultOf(op: string): Result {
  if (op === '=') return 'never true';
  return op === '!=' || op === '<>' ? 'always true' : 'order';
}

/**
 * Compares the classes of two expressions. Two literals are skipped, because they are a constant condition, which has its own rule.
 */
function compare({ columnOf, report }: SelectSubject, at: Expr, a: Expr, b: Expr, result: Result): void {
  const right = valueClassOf(b, columnOf);
  const left = right && valueClassOf(a, columnOf);
  if (!left || left === right || (a.kind === 'literal' && b.kind === 'literal')) return;
  report('type-mismatch', at.span, { left, right, result, ...quotedTruth(a), ...quotedTruth(b) });
}

/** Returns advice for a boolean in quotes. Booleans are the numbers 0 and 1, and no cast converts a word to them. */
function quotedTruth(expr: Expr): { instead?: string } {
  const text = expr.kind === 'literal' && expr.value.type === 'text' ? expr.value.value.toLowerCase() : '';
  return text === 'true' || text === 'false' ? { instead: `Write ${text} without quotes.` } : {};
}

function compareWithList(subject: SelectSubject, expr: In): void {
  const { left, right, negated } = expr;
  const result = negated ? 'always true' : 'never true';
  if (right.kind === 'list') for (const item of right.items) compare(subject, item, left, item, result);
  else if (right.kind === 'subquery') compare(subject, expr, left, right, result);
  else if (right.kind === 'literal') compareWithJson(subject, expr, right, result);
}

/** Checks a list in a text, such as `x IN '["a", "b"]'`. */
function compareWithJson(
  { columnOf, report }: SelectSubject,
  expr: In,
  { value }: Literal,
  result: Result,
): void {
  const left = valueClassOf(expr.left, columnOf);
  if (!left || value.type !== 'text') return;
  const classes = new Set(
    elementsOf(value.value).map((element) => (typeof element === 'string' ? 'text' : 'number')),
  );
  const [right] = classes;
  if (right && classes.size === 1 && left !== right)
    report('type-mismatch', expr.span, { left, right, result });
}

function elementsOf(json: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function compareWithTruth({ columnOf, report }: SelectSubject, { operand, negated, span }: Is): void {
  const left = valueClassOf(operand, columnOf);
  if (!left || left === 'number') return;
  report('type-mismatch', span, { left, right: 'number', result: negated ? 'always true' : 'never true' });
}
