/** Turns a subquery after IN into a join, and a join into a subquery. */
import type { Expr, In, Select } from '../../../engine/sql/ast.ts';
import { laidOut } from '../../../engine/sql/layout/layout.ts';
import { applyEdits, type Edit, shiftEdits } from '../../../engine/text/edit.ts';
import { type Span, shift } from '../../../engine/text/span.ts';
import { editScalar } from '../../../engine/yaml/scalarEdits.ts';
import {
  conjunctsOf,
  hasSubquery,
  nameOf,
  ownExpressions,
  referencesIn,
  writeSelect,
} from '../../reading/conjuncts.ts';
import type { Action } from '../action.ts';
import { allSelects, holds, outerOf, sqlWithin } from '../sqlEdits.ts';
import { type ActionPlace, isWritable, keepsMeaning, type SqlSelection, sqlSelection } from './place.ts';

export function subqueryToJoin(place: ActionPlace): readonly Action[] {
  const sql = sqlSelection(place);
  const found = sql && isWritable(sql) ? memberAt(sql) : undefined;
  if (!sql || !found) return [];
  const { select, member, inner } = found;
  const [outerName, innerName] = [onlyName(select), onlyName(inner)];
  const [column] = inner.columns;
  const innerItem = inner.from[0];
  if (!outerName || !innerName || outerName === innerName || !column || !innerItem) return [];
  const outside = (at: Span) => qualify(sql, at, ownExpressions(select), select.from[0]);
  const inside = (at: Span) => qualify(sql, at, ownExpressions(inner), innerItem);
  const join = `JOIN ${sqlWithin(sql, innerItem.source.span)} ON ${outside(outerOf(member.left))} = ${inside(outerOf(column.expr))}`;
  const conditions = conjunctsOf(select.where).flatMap((condition) => {
    if (condition !== member) return [outside(outerOf(condition))];
    return conjunctsOf(inner.where).map((own) => inside(outerOf(own)));
  });
  const source = select.from[0]?.source.span ?? select.span;
  const columns = select.columns.map(({ span }) => outside(span)).join(', ');
  const text = writeSelect(columns, [`${sqlWithin(sql, source)} ${join}`], conditions);
  return rewritten(place, sql, select, text, 'Write the subquery as a join');
}

export function joinToSubquery(place: ActionPlace): readonly Action[] {
  const sql = sqlSelection(place);
  const select = sql && isWritable(sql) ? selectAt(sql) : undefined;
  if (!sql || !select || select.from.length < 2) return [];
  const item = select.from.slice(1).find(({ source, join }) => holds(join?.span ?? source.span, sql.at));
  const name = item && nameOf(item);
  if (!item || !name || item.source.kind !== 'table') return [];
  const others = select.from.filter((one) => one !== item);
  const isOf = (expr: Expr) => {
    const names = referencesIn(expr).map(({ table }) => table?.text.toLowerCase());
    return { own: names.includes(name), other: names.some((one) => one !== name) };
  };
  if (select.columns.some(({ expr }) => isOf(expr).own)) return [];
  const conditions = [
    ...select.from.flatMap(({ join }) => conjunctsOf(join?.on)),
    ...conjunctsOf(select.where),
  ];
  const links = conditions.filter((condition) => isOf(condition).own && isOf(condition).other);
  const [link] = links;
  if (links.length !== 1 || link?.kind !== 'binary' || link.op !== '=') return [];
  const [own, other] = isOf(link.left).own ? [link.left, link.right] : [link.right, link.left];
  if (isOf(own).other || isOf(other).own || conditions.some(hasSubquery)) return [];
  const inner = conditions.filter((condition) => condition !== link && isOf(condition).own);
  const text = (expr: Expr) => sqlWithin(sql, outerOf(expr));
  const subquery = writeSelect(text(own), [sqlWithin(sql, item.source.span)], inner.map(text));
  const member = `${text(other)} IN (${subquery})`;
  const rest = conditions.flatMap((condition) => {
    if (condition === link) return [member];
    return isOf(condition).own ? [] : [text(condition)];
  });
  const columns = select.columns.map(({ span }) => sqlWithin(sql, span)).join(', ');
  const from = others.map(({ source }) => sqlWithin(sql, source.span));
  return rewritten(place, sql, select, writeSelect(columns, from, rest), 'Write the join as a subquery');
}

interface Member {
  readonly select: Select;
  readonly member: In;
  readonly inner: Select;
}

/** Returns the condition `x IN (SELECT …)` at the place, if all rows of its query must satisfy it. */
function memberAt(sql: SqlSelection): Member | undefined {
  const found = allSelects(sql).flatMap((select) =>
    conjunctsOf(select.where).flatMap((member): Member[] => {
      if (member.kind !== 'in' || member.negated || member.right.kind !== 'subquery') return [];
      const inner = member.right.query;
      return inner.kind === 'select' && holds(outerOf(member), sql.at) ? [{ select, member, inner }] : [];
    }),
  );
  return found.at(-1);
}

function selectAt(sql: SqlSelection): Select | undefined {
  return allSelects(sql)
    .filter(({ span }) => holds(span, sql.at))
    .at(-1);
}

/** Returns the name of the only table of a query. */
function onlyName({ from }: Select): string | undefined {
  const [item, second] = from;
  return item && !second && item.source.kind === 'table' ? nameOf(item) : undefined;
}

/** Returns a piece of a query with the name of its only table before each unqualified column. */
function qualify(
  sql: SqlSelection,
  at: Span,
  expressions: readonly Expr[],
  item: Select['from'][0] | undefined,
): string {
  const source = item?.source;
  if (source?.kind !== 'table') return sqlWithin(sql, at);
  const name = source.alias?.name ?? source.name;
  const prefix = `${sqlWithin(sql, name.span)}.`;
  const edits = expressions
    .flatMap(referencesIn)
    .filter((reference) => !reference.table && holds(at, reference.span))
    .map(
      (reference): Edit => ({
        span: shift({ start: reference.span.start, end: reference.span.start }, -at.start),
        text: prefix,
      }),
    );
  return applyEdits(sqlWithin(sql, at), edits);
}

/** Returns the rewritten query, laid out like the original. */
function rewritten(
  { analysis }: ActionPlace,
  sql: SqlSelection,
  select: Select,
  text: string,
  title: string,
): readonly Action[] {
  const isWhole = allSelects(sql)[0] === select;
  const inLines = sql.scalar.style === 'literal' && sqlWithin(sql, select.span).includes('\n');
  const laid = isWhole ? laidOut(text, { width: 96, lines: inLines ? 'many' : 'one' }) : text;
  const line =
    sql.scalar.style === 'literal' ? laid : laidOut(text, { width: Number.POSITIVE_INFINITY, lines: 'one' });
  const made = editScalar(sql.part.reading, sql.scalar, [{ span: select.span, text: line ?? text }]);
  const edits = made ? shiftEdits(made, sql.part.base) : [];
  return keepsMeaning(analysis, edits) ? [{ title, kind: 'refactor.rewrite', edits }] : [];
}
