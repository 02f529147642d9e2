/** Remedies that repeat a condition of the query inside its lookup, so that the lookup reads less. */
import type { Expr, In, Select } from '../../../engine/sql/ast.ts';
import { applyEdits, type Edit, shiftEdits } from '../../../engine/text/edit.ts';
import { conjunctsOf, hasSubquery, referencesIn } from '../../reading/conjuncts.ts';
import { allSelects, insertAt, outerOf, replaceSpan, sqlWithin } from '../sqlEdits.ts';
import { isMember } from './lookups.ts';
import { dataSelect, type SqlRemedy, type StreamSql } from './streamSql.ts';

/**
 * Rewrites `list = subscription.parameter('list') AND list IN (SELECT id FROM lists WHERE …)` as `list IN (SELECT id FROM lists
 * WHERE … AND id = subscription.parameter('list'))`, and does the same for two lookups of the same column.
 */
export function conditionInside(sql: StreamSql): readonly SqlRemedy[] {
  return allSelects(sql).flatMap((select) => {
    const conditions = conjunctsOf(select.where);
    return conditions.filter(isMember).flatMap((member) => {
      const inner = innerOf(member);
      const [column] = inner?.columns ?? [];
      if (inner === undefined || column === undefined || select.where === undefined) return [];
      const whole = outerOf(select.where);
      const about = sqlWithin(sql, member.left.span);
      return conditions.flatMap((condition): SqlRemedy[] => {
        const rest = condition === member ? undefined : restOf(sql, condition, about);
        if (rest === undefined) return [];
        const own = `${sqlWithin(sql, column.expr.span)} ${rest}`;
        const texts = conditions
          .filter((each) => each !== condition)
          .map((each) =>
            each === member ? memberText(sql, member, inner, own) : sqlWithin(sql, outerOf(each)),
          );
        return [
          { title: `Check ${shorten(own)} in the lookup`, edits: [replaceSpan(whole, texts.join(' AND '))] },
        ];
      });
    });
  });
}

function innerOf({ right }: In): Select | undefined {
  if (right.kind !== 'subquery' || right.query.kind !== 'select') return undefined;
  const { query } = right;
  return query.columns.length === 1 && query.refused.length === 0 ? query : undefined;
}

/** Returns the part of a condition after the column name; undefined if the condition is about another column. */
function restOf(sql: StreamSql, condition: Expr, about: string): string | undefined {
  const text = (expr: Expr) => sqlWithin(sql, outerOf(expr));
  if (isMember(condition) && sqlWithin(sql, condition.left.span) === about)
    return `IN ${text(condition.right)}`;
  if (condition.kind !== 'binary' || condition.op !== '=') return undefined;
  for (const [one, other] of [
    [condition.left, condition.right],
    [condition.right, condition.left],
  ] as const)
    if (sqlWithin(sql, one.span) === about && referencesIn(other).length === 0 && !hasSubquery(other))
      return `= ${text(other)}`;
  return undefined;
}

function memberText(sql: StreamSql, member: In, inner: Select, own: string): string {
  const at = outerOf(member);
  return applyEdits(sqlWithin(sql, at), shiftEdits(addCondition(inner, own), -at.start));
}

/** The maximum number of characters of a condition in a title. */
const mostShown = 60;

function shorten(text: string): string {
  return text.length <= mostShown ? text : `${text.slice(0, mostShown - 1)}…`;
}

/**
 * Rewrites `id IN (SELECT item FROM log WHERE …)` as `id IN (SELECT item FROM log WHERE … AND item =
 * subscription.parameter('id'))`, so that the app subscribes to the rows it needs. A condition on the parameter outside the lookup
 * would not be safe, because any client can choose the parameter.
 */
export function byParameter(
  texts: readonly StreamSql[],
): readonly (SqlRemedy & { readonly sql: StreamSql })[] {
  return texts.flatMap((sql) =>
    conjunctsOf(dataSelect(sql)?.where).flatMap((member) => {
      if (!isMember(member) || member.left.kind !== 'reference') return [];
      const lookup = lookupOf(member, sql, texts);
      const [column] = lookup?.select.columns ?? [];
      if (lookup === undefined || column === undefined) return [];
      const parameter = `subscription.parameter('${member.left.column.text.replaceAll("'", "''")}')`;
      if (texts.some((each) => each.text.sql.text.includes(parameter))) return [];
      const own = `${sqlWithin(lookup.sql, column.expr.span)} = ${parameter}`;
      const edits = addCondition(lookup.select, own);
      return [{ title: `Subscribe with ${parameter}`, edits, sql: lookup.sql }];
    }),
  );
}

interface LookupSelect {
  readonly sql: StreamSql;
  readonly select: Select;
}

/** Returns a subquery, or the CTE of the stream that has this name. */
function lookupOf(member: In, sql: StreamSql, texts: readonly StreamSql[]): LookupSelect | undefined {
  const select = innerOf(member);
  if (select !== undefined) return { sql, select };
  const { right } = member;
  if (right.kind !== 'reference' || right.table !== undefined) return undefined;
  const cte = texts.find(({ name }) => name === right.column.text);
  const [first] = cte === undefined ? [] : allSelects(cte);
  return cte === undefined || first === undefined || first.columns.length !== 1
    ? undefined
    : { sql: cte, select: first };
}

function addCondition({ where, span: whole }: Select, own: string): readonly Edit[] {
  if (where === undefined) return [insertAt(whole.end, ` WHERE ${own}`)];
  const at = outerOf(where);
  const isOr = where.kind === 'binary' && where.op === 'OR' && where.outer === undefined;
  return isOr
    ? [insertAt(at.start, '('), insertAt(at.end, `) AND ${own}`)]
    : [insertAt(at.end, ` AND ${own}`)];
}
