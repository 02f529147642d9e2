/** Fixes of conditions that do not mean what they seem to mean. */
import type { Fixes } from '../fix.ts';
import {
  allExpressions,
  exprAround,
  exprAt,
  holds,
  inSql,
  isSame,
  outerOf,
  replaceSpan,
  sqlFix,
  sqlWithin,
  sure,
} from '../sqlEdits.ts';

export const conditionFixes: Fixes = {
  'in-single-value': inSql((sql, { value }) => {
    const test = exprAround(sql, 'in');
    if (!test) return [];
    const right = outerOf(test.right);
    const equal = { start: test.opSpan.start, end: right.end };
    return [
      ...sqlFix(sql, `Write ARRAY[${value}]`, [replaceSpan(right, `ARRAY[${value}]`)]),
      ...sqlFix(sql, `Write ${test.negated ? '!=' : '='} ${value}`, [
        replaceSpan(equal, `${test.negated ? '!=' : '='} ${value}`),
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
    const text = `${sqlWithin(sql, outerOf(left))} NOT IN ${sqlWithin(sql, outerOf(right))}`;
    return sqlFix(sql, 'Write NOT IN', [replaceSpan(not.span, text)], sure);
  }),
  'filter-on-null': inSql((sql) => {
    const comparison = exprAt(sql, 'binary');
    if (!comparison || !['=', '!=', '<>'].includes(comparison.op)) return [];
    const { left, right, op } = comparison;
    const isNull = (expr: typeof left) => expr.kind === 'literal' && expr.value.type === 'null';
    if (isNull(left) === isNull(right)) return [];
    const text = op === '=' ? 'IS NULL' : 'IS NOT NULL';
    const value = sqlWithin(sql, outerOf(isNull(left) ? right : left));
    return sqlFix(sql, `Write ${text}`, [replaceSpan(comparison.span, `${value} ${text}`)], sure);
  }),
  'not-equal-null': inSql((sql) => {
    const comparison = exprAt(sql, 'binary') ?? exprAround(sql, 'binary');
    if (!comparison || !['!=', '<>'].includes(comparison.op)) return [];
    const column = [comparison.left, comparison.right].find(({ kind }) => kind === 'reference');
    if (!column) return [];
    const both = `${sqlWithin(sql, comparison.span)} AND ${sqlWithin(sql, column.span)} IS NOT NULL`;
    return sqlFix(sql, 'Exclude rows with NULL', [
      replaceSpan(comparison.span, comparison.outer ? both : `(${both})`),
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
    return sqlFix(sql, 'Write IN', [replaceSpan(comparison.opSpan, 'IN')], sure);
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
        replaceSpan(outerOf(left), sqlWithin(sql, outerOf(right))),
        replaceSpan(outerOf(right), sqlWithin(sql, outerOf(left))),
      ],
      sure,
    );
  }),
};
