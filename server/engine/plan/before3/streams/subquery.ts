/** `x IN (SELECT …)` and `x && (SELECT …)` in streams of edition 2: rows of one other table. */
import type { Select, TableSource } from '../../../sql/ast.ts';
import type { Expression } from '../../expression.ts';
import { classify } from '../conditions/classify.ts';
import type { Clause } from '../conditions/clause.ts';
import { type Branch, type FoundRows, fewBranches, type Membership, only } from '../conditions/condition.ts';
import { requestCall } from '../conditions/requestValues.ts';
import { originOf, type QueryPlace, wholeText } from '../place.ts';
import { type Names, openScope, reportUndefined, rowColumn, type Scope } from '../scope.ts';
import { checkSelect } from '../statement.ts';
import { type LegacyTable, openTable } from '../table.ts';
import { type ConditionRules, type Member, readCondition } from './streamCondition.ts';

export function readMember(scope: Scope, expr: Member): Membership | undefined {
  const left = classify(scope, expr.left);
  const side = left && sideOf(scope, expr, left);
  const select = checkSelect(scope.report, expr.right.query);
  const rows = select && readRows(scope, select);
  if (!left || !side || !rows) return undefined;
  if (side !== 'request' && rows.where.comparisons.length === 0) {
    scope.report('subquery-without-parameter', wholeText(scope), {});
    return undefined;
  }
  const value = (left as Exclude<Clause, { kind: 'match' | 'parameter' }>).expression;
  return { kind: 'member', left: side, value, rows, at: originOf(scope, expr.span) };
}

function sideOf({ report }: Scope, expr: Member, left: Clause): Membership['left'] | undefined {
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

function readRows(outer: Scope, select: Select): FoundRows | undefined {
  const item = tableOf(outer, select);
  if (!item) return undefined;
  const table = openTable(outer, item);
  if (table.pattern.name.wildcard) outer.report('wildcard-filter', item.nameSpan, {});
  const scope = openScope(outer, streamNames(table));
  const where = readWhere(scope, select);
  const column = readColumn(scope, select);
  return column && where && { table, column, where };
}

/** A query of a stream, or a subquery, reads one table. */
export function tableOf({ report }: QueryPlace, { from, span }: Select): TableSource | undefined {
  const [first, second] = from;
  if (first?.source.kind === 'table' && !second) return first.source;
  report('single-table-required', span, {});
  return undefined;
}

export function streamNames(table: LegacyTable): Names {
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

function readColumn(scope: Scope, { columns, span }: Select): Expression | undefined {
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

function readWhere(scope: Scope, { where }: Select): Branch | undefined {
  if (!where) return only({});
  const condition = readCondition(scope, subqueryRules, where);
  return condition && fewBranches(scope.report, where.span, condition)?.[0];
}

/** Rows are looked up by values of the request: none of these may be looked for among several. */
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
