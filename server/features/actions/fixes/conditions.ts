/** Conditions that mean something else than they seem to. */
import type { Fixes } from '../fix.ts';
import {
  allExpressions,
  exprAround,
  exprAt,
  holds,
  inSql,
  isSame,
  outerOf,
  replacing,
  sqlFix,
  sure,
  written,
} from '../sqlEdits.ts';

export const conditionFixes: Fixes = {
  'in-single-value': inSql((sql, { value }) => {
    const test = exprAround(sql, 'in');
    if (!test) return [];
    const right = outerOf(test.right);
    const equal = { start: test.opSpan.start, end: right.end };
    return [
      ...sqlFix(sql, `Write ARRAY[${value}]`, [replacing(right, `ARRAY[${value}]`)]),
      ...sqlFix(sql, `Write ${test.negated ? '!=' : '='} ${value}`, [
        replacing(equal, `${test.negated ? '!=' : '='} ${value}`),
      ]),
    ];
  }),
  'negated-in-expansion': inSql((sql) => {
    const not = allExpressions(sql).findLast(
      (expr) =>
        expr.kind === 'unary' &&
        expr.op === 'NOT' &&
        expr.operand.kind === 'in' &&
        !expr.operand.negated &&
        (holds(expr.span, sql.span) || holds(sql.span, expr.span)),
    );
    if (not?.kind !== 'unary' || not.operand.kind !== 'in') return [];
    const { left, right } = not.operand;
    const text = `${written(sql, outerOf(left))} NOT IN ${written(sql, outerOf(right))}`;
    return sqlFix(sql, 'Write NOT IN', [replacing(not.span, text)], sure);
  }),
  'filter-on-null': inSql((sql) => {
    const comparison = exprAt(sql, 'binary');
    if (!comparison || !['=', '!=', '<>'].includes(comparison.op)) return [];
    const { left, right, op } = comparison;
    const isNull = (expr: typeof left) => expr.kind === 'literal' && expr.value.type === 'null';
    if (isNull(left) === isNull(right)) return [];
    const text = op === '=' ? 'IS NULL' : 'IS NOT NULL';
    const value = written(sql, outerOf(isNull(left) ? right : left));
    return sqlFix(sql, `Write ${text}`, [replacing(comparison.span, `${value} ${text}`)], sure);
  }),
  'not-equal-null': inSql((sql) => {
    const comparison = exprAt(sql, 'binary') ?? exprAround(sql, 'binary');
    if (!comparison || !['!=', '<>'].includes(comparison.op)) return [];
    const column = [comparison.left, comparison.right].find(({ kind }) => kind === 'reference');
    if (!column) return [];
    const both = `${written(sql, comparison.span)} AND ${written(sql, column.span)} IS NOT NULL`;
    return sqlFix(sql, 'Leave out rows with NULL', [
      replacing(comparison.span, comparison.outer ? both : `(${both})`),
    ]);
  }),
  'subquery-position': inSql((sql) => {
    const comparison = allExpressions(sql).findLast(
      (expr) =>
        expr.kind === 'binary' &&
        expr.op === '=' &&
        expr.right.kind === 'subquery' &&
        holds(outerOf(expr.right), sql.span),
    );
    if (comparison?.kind !== 'binary') return [];
    return sqlFix(sql, 'Write IN', [replacing(comparison.opSpan, 'IN')], sure);
  }),
  'overlap-left-not-row': inSql((sql) => {
    const overlap = allExpressions(sql).findLast(
      (expr) => expr.kind === 'binary' && expr.op === '&&' && holds(expr.span, sql.span),
    );
    if (overlap?.kind !== 'binary' || isSame(overlap.span, overlap.left.span)) return [];
    const { left, right } = overlap;
    return sqlFix(
      sql,
      'Swap the sides',
      [
        replacing(outerOf(left), written(sql, outerOf(right))),
        replacing(outerOf(right), written(sql, outerOf(left))),
      ],
      sure,
    );
  }),
};
