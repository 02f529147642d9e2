import type { Expr } from '../sql/ast.ts';
import type { ConfigCheck } from './check.ts';

export const filterOnNull: ConfigCheck = {
  code: 'filter-on-null',
  checkExpression: (expr, { text, role, options, report }) => {
    if (expr.kind !== 'binary' || !comparisons.has(expr.op)) return;
    const { left, right, op } = expr;
    if (!isNull(left) && !isNull(right)) return;
    const other = isNull(left) ? right : left;
    const { start, end } = other.outer ?? other.span;
    const test = instead.get(op);
    // Before edition 3, and with the SQLite engine, NOT NULL is NULL.
    const passes = isUnequal(op) && (role === 'synced' || role === 'inner') && !options.sqliteEngine;
    report('filter-on-null', expr.span, {
      passes,
      ...(test && { instead: `${text.sql.text.slice(start, end)} ${test}` }),
    });
  },
};

const comparisons: ReadonlySet<string> = new Set(['=', '!=', '<>', '<', '<=', '>', '>=']);

const instead: ReadonlyMap<string, string> = new Map([
  ['=', 'IS NULL'],
  ['!=', 'IS NOT NULL'],
  ['<>', 'IS NOT NULL'],
]);

function isUnequal(op: string): boolean {
  return op === '!=' || op === '<>';
}

function isNull(expr: Expr): boolean {
  return expr.kind === 'literal' && expr.value.type === 'null';
}
