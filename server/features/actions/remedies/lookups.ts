/** Remedies inside a lookup: select the other of two equal columns, or read fewer tables. */
import type { Expr, In, Reference, Select } from '../../../engine/sql/ast.ts';
import {
  conjunctsOf,
  hasSubquery,
  nameOf,
  ownExpressions,
  referencesIn,
  writeSelect,
} from '../../reading/conjuncts.ts';
import { outerOf, replaceSpan, sqlWithin } from '../sqlEdits.ts';
import { lookupsIn, type SqlRemedy, type StreamSql } from './streamSql.ts';

/** Rewrites `SELECT a.order_id … JOIN orders o ON o.id = a.order_id` as `SELECT o.id …`. */
export function joinedColumn(sql: StreamSql): readonly SqlRemedy[] {
  return lookupsIn(sql).flatMap((select) => {
    const own = onlyColumn(select);
    if (own === undefined) return [];
    return equalitiesIn(select).flatMap(([one, other]): SqlRemedy[] => {
      const joined = isSameColumn(one, own) ? other : isSameColumn(other, own) ? one : undefined;
      if (joined?.table === undefined || joined.table.text === own.table?.text) return [];
      const text = sqlWithin(sql, joined.span);
      return [
        {
          title: `Select ${text} instead of ${sqlWithin(sql, own.span)}`,
          edits: [replaceSpan(outerOf(own), text)],
        },
      ];
    });
  });
}

/** Removes a table that only connects one column to an equal one. */
export function readDirectly(sql: StreamSql): readonly SqlRemedy[] {
  return lookupsIn(sql).flatMap((select) => [...withoutJoin(sql, select), ...withoutStep(sql, select)]);
}

/** Rewrites `SELECT l.id FROM lists l JOIN members m ON m.list_id = l.id WHERE …` as `SELECT m.list_id FROM members m WHERE …`. */
function withoutJoin(sql: StreamSql, select: Select): readonly SqlRemedy[] {
  const references = ownExpressions(select).flatMap(referencesIn);
  const conditions = conditionsOf(select);
  const own = onlyColumn(select);
  if (own === undefined || conditions.some(hasSubquery)) return [];
  if (references.some(({ table }) => table === undefined)) return [];
  if (select.from.some(({ source }) => source.kind !== 'table')) return [];
  return select.from.flatMap((item): SqlRemedy[] => {
    const name = nameOf(item);
    const isOf = (expr: Expr) => referencesIn(expr).some(({ table }) => table?.text.toLowerCase() === name);
    const [link, second] = conditions.filter(isOf);
    const sides = link === undefined || second !== undefined ? undefined : equality(link);
    if (sides === undefined) return [];
    const [there, here] = isOf(sides[0]) ? [sides[0], sides[1]] : [sides[1], sides[0]];
    if (isOf(here) || (isOf(own) && !isSameColumn(own, there))) return [];
    const rest = select.from.filter((other) => other !== item);
    const column = sqlWithin(sql, isOf(own) ? here.span : own.span);
    const sources = rest.map(({ source }) => sqlWithin(sql, source.span));
    const kept = conditions.filter((each) => each !== link).map((each) => sqlWithin(sql, outerOf(each)));
    const [first] = rest;
    if (first?.source.kind !== 'table') return [];
    return [
      {
        title: `Read ${first.source.name.text} directly`,
        edits: [replaceSpan(select.span, writeSelect(column, sources, kept))],
      },
    ];
  });
}

/** Rewrites `IN (SELECT id FROM lists WHERE id IN (SELECT list_id FROM members …))` as `IN (SELECT list_id FROM members …)`. */
function withoutStep(sql: StreamSql, select: Select): readonly SqlRemedy[] {
  const own = onlyColumn(select);
  const [condition, second] = conjunctsOf(select.where);
  if (own === undefined || select.from.length !== 1 || condition === undefined || second) return [];
  if (!isMember(condition) || condition.left.kind !== 'reference') return [];
  if (!isSameColumn(condition.left, own) || condition.right.kind !== 'subquery') return [];
  const { query } = condition.right;
  const source = query.kind === 'select' ? query.from[0]?.source : undefined;
  if (source?.kind !== 'table') return [];
  return [
    {
      title: `Read ${source.name.text} directly`,
      edits: [replaceSpan(select.span, sqlWithin(sql, query.span))],
    },
  ];
}

export function isMember(expr: Expr): expr is In {
  return expr.kind === 'in' && !expr.negated;
}

function onlyColumn({ columns }: Select): Reference | undefined {
  const [column, second] = columns;
  return column?.expr.kind === 'reference' && second === undefined ? column.expr : undefined;
}

function conditionsOf({ from, where }: Select): readonly Expr[] {
  return [...from.flatMap(({ join }) => conjunctsOf(join?.on)), ...conjunctsOf(where)];
}

function equalitiesIn(select: Select): readonly (readonly [Reference, Reference])[] {
  return conditionsOf(select).flatMap((condition) => {
    const sides = equality(condition);
    return sides === undefined ? [] : [sides];
  });
}

function equality(expr: Expr): readonly [Reference, Reference] | undefined {
  if (expr.kind !== 'binary' || expr.op !== '=') return undefined;
  const { left, right } = expr;
  return left.kind === 'reference' && right.kind === 'reference' ? [left, right] : undefined;
}

function isSameColumn(one: Reference, other: Reference): boolean {
  return one.column.text === other.column.text && one.table?.text === other.table?.text;
}
