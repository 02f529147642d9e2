/** Reads `x IN (SELECT …)` and `x && (SELECT …)` in streams of edition 2, whose subquery reads rows of one other table. */
import type { Select, TableSource } from '../../../sql/ast.ts';
import type { Expression } from '../../expression.ts';
import { classify } from '../conditions/classify.ts';
import type { Clause } from '../conditions/clause.ts';
import {
  type Conjunction,
  type FoundRows,
  fewBranches,
  only,
  type RowMembership,
} from '../conditions/condition.ts';
import { requestCall } from '../conditions/requestValues.ts';
import { originIn, type QueryPlace, wholeQuery } from '../place.ts';
import { type NameRules, openReadingScope, type ReadingScope, reportUndefined, rowColumn } from '../scope.ts';
import { checkSelect } from '../statement.ts';
import { openQueryTable, type QueryTable } from '../table.ts';
import { type ConditionRules, type MemberTest, readCondition } from './streamCondition.ts';

export function readMembership(scope: ReadingScope, expr: MemberTest): RowMembership | undefined {
  const left = classify(scope, expr.left);
  const side = left && sideOf(scope, expr, left);
  const select = checkSelect(scope.report, expr.right.query);
  const rows = select && readRows(scope, select);
  if (!left || !side || !rows) return undefined;
  if (side !== 'request' && rows.where.comparisons.length === 0) {
    scope.report('subquery-without-parameter', wholeQuery(scope), {});
    return undefined;
  }
  const value = (left as Exclude<Clause, { kind: 'match' | 'parameter' }>).expression;
  return { kind: 'member', left: side, value, rows, at: originIn(scope, expr.span) };
}

function sideOf({ report }: ReadingScope, expr: MemberTest, left: Clause): RowMembership['left'] | undefined {
  const isOverlap = expr.kind === 'binary';
  switch (left.kind) {
    case 'row':
      return isOverlap ? 'elements' : 'row';
    case 'constant':
      if (isOverlap) return 'elements';
      report('static-left-of-subquery', expr.left.span, {});
      return undefined;
    case 'request':
      if (!isOverlap) return 'request';
      report('overlap-left-not-row', expr.left.span, {});
      return undefined;
    default:
      report('mixed-row-and-parameter', expr.left.span, {});
      return undefined;
  }
}

function readRows(outer: ReadingScope, select: Select): FoundRows | undefined {
  const item = onlyTable(outer, select);
  if (!item) return undefined;
  const table = openQueryTable(outer, item);
  if (table.pattern.name.wildcard) outer.report('wildcard-filter', item.nameSpan, {});
  const scope = openReadingScope(outer, streamNames(table));
  const where = readWhere(scope, select);
  const column = readColumn(scope, select);
  return column && where && { table, column, where };
}

/** Returns the only table of a query or subquery of a stream. */
export function onlyTable({ report }: QueryPlace, { from, span }: Select): TableSource | undefined {
  const [first, second] = from;
  if (first?.source.kind === 'table' && !second) return first.source;
  report('single-table-required', span, {});
  return undefined;
}

export function streamNames(table: QueryTable): NameRules {
  return {
    table,
    qualifier: table.name,
    resolve: (scope, reference, qualifier) =>
      qualifier === table.name
        ? rowColumn(scope, reference)
        : reportUndefined(scope, reference, [table.name]),
    resolveCall: (scope, call) => requestCall(scope, call, 'streams'),
  };
}

function readColumn(scope: ReadingScope, { columns, span }: Select): Expression | undefined {
  const star = columns.find(({ expr, alias }) => expr.kind === 'star' && !alias);
  if (star) {
    scope.report('star-subquery', star.expr.span, {});
    return undefined;
  }
  const [column, second] = columns;
  if (!column || second) {
    scope.report('subquery-single-column', span, { columns: `${columns.length}` });
    return undefined;
  }
  const clause = classify(scope, column.expr);
  if (!clause) return undefined;
  if (clause.kind === 'row' || clause.kind === 'constant') return clause.expression;
  scope.report('match-not-allowed', column.expr.span, { place: 'synced column' });
  return undefined;
}

function readWhere(scope: ReadingScope, { where }: Select): Conjunction | undefined {
  if (!where) return only({});
  const condition = readCondition(scope, subqueryRules, where);
  return condition && fewBranches(scope.report, where.span, condition)?.[0];
}

/**
 * The rules of conditions in a subquery. Rows are looked up by values of the request, and none of these values may be searched for
 * in an array.
 */
const subqueryRules: ConditionRules = {
  negatedMatch: 'subquery-condition',
  readMember: ({ report }, expr) => {
    report('subquery-condition', expr.span, {});
    return undefined;
  },
  accept: ({ report }, expr, condition) => {
    if (condition.kind === 'or') {
      report('or-in-subquery', expr.span, {});
      return false;
    }
    if (condition.kind !== 'in request' && condition.kind !== 'overlap') return true;
    report('mixed-row-and-parameter', condition.array.at.span, {});
    return false;
  },
};
