/** Edits SQL texts and finds the expression at a place. */
import type { Expr, Select } from '../../engine/sql/ast.ts';
import { tokenize } from '../../engine/sql/lexer.ts';
import type { Token } from '../../engine/sql/token.ts';
import { expressionsIn, selectsIn } from '../../engine/sql/walk.ts';
import { type Edit, shiftEdits } from '../../engine/text/edit.ts';
import { type Span, span } from '../../engine/text/span.ts';
import { editScalar } from '../../engine/yaml/scalarEdits.ts';
import type { WritableSql } from '../reading/queries.ts';
import type { Fix, SqlSubject, Subject } from './fix.ts';

/** Returns the fix, if the scalar that contains the SQL can contain the result. The spans of the edits are relative to the SQL. */
export function sqlFix(
  { part, scalar }: WritableSql,
  title: string,
  edits: readonly Edit[],
  sure: Pick<Fix, 'isSure'> = {},
): readonly Fix[] {
  const made = editScalar(part.reading, scalar, edits);
  return made ? [{ title, edits: shiftEdits(made, part.base), ...sure }] : [];
}

export const sure: Pick<Fix, 'isSure'> = { isSure: true };

export function replaceSpan(at: Span, text: string): Edit {
  return { span: at, text };
}

export function insertAt(at: number, text: string): Edit {
  return { span: span(at, at), text };
}

/** Returns the SQL at a span. */
export function sqlWithin({ text: { sql } }: WritableSql, at: Span): string {
  return sql.text.slice(at.start, at.end);
}

export function allSelects({ text: { sql } }: Pick<WritableSql, 'text'>): readonly Select[] {
  return sql.statements.flatMap(selectsIn);
}

export function allExpressions(sql: Pick<WritableSql, 'text'>): readonly Expr[] {
  return allSelects(sql).flatMap(expressionsIn);
}

/** Returns the span of an expression including its own parentheses. */
export function outerOf(expr: Expr): Span {
  return expr.outer ?? expr.span;
}

/** Returns the expression of this kind whose span, with or without its parentheses, is that of the finding. */
export function exprAt<K extends Expr['kind']>(
  sql: SqlSubject,
  kind: K,
): Extract<Expr, { kind: K }> | undefined {
  const found = allExpressions(sql).filter((expr): expr is Extract<Expr, { kind: K }> => expr.kind === kind);
  return (
    found.find(({ span: at }) => isSame(at, sql.span)) ??
    found.find((expr) => isSame(outerOf(expr), sql.span))
  );
}

export function isSame(one: Span, other: Span): boolean {
  return one.start === other.start && one.end === other.end;
}

/** Returns the innermost expression of this kind that contains the place. */
export function exprAround<K extends Expr['kind']>(
  sql: SqlSubject,
  kind: K,
): Extract<Expr, { kind: K }> | undefined {
  return allExpressions(sql)
    .filter(
      (expr): expr is Extract<Expr, { kind: K }> => expr.kind === kind && holds(outerOf(expr), sql.span),
    )
    .at(-1);
}

export function holds(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Returns the innermost SELECT that contains the place. */
export function selectAround(sql: SqlSubject): Select | undefined {
  return allSelects(sql)
    .filter((select) => holds(select.span, sql.span))
    .at(-1);
}

/** Returns the token before an offset, and the token at or after it. */
export function tokensAround(sql: Pick<WritableSql, 'text'>, offset: number): readonly [Token?, Token?] {
  const { tokens } = tokenize(sql.text.sql.text);
  const next = tokens.findIndex(({ start }) => start >= offset);
  return [tokens[next - 1], tokens[next]];
}

/** Returns the edit that removes a span and the blanks before it. */
export function removeSpan({ text: { sql } }: Pick<WritableSql, 'text'>, { start, end }: Span): Edit {
  const before = sql.text.slice(0, start).trimEnd().length;
  return { span: span(before, end), text: '' };
}

/** Returns a fix that works on the SQL that contains the finding. */
export function inSql<A>(
  make: (sql: SqlSubject, args: A, subject: Subject<A>) => readonly Fix[],
): (subject: Subject<A>) => readonly Fix[] {
  return (subject) => (subject.sql ? make(subject.sql, subject.finding.args, subject) : []);
}

/**
 * Returns how certain a similar name is. It is never certain in conditions, FROM and CTEs, because names there decide which users
 * get which rows.
 */
export function sureOfName(
  sql: SqlSubject,
  at: Span,
  { analysis }: Pick<Subject, 'analysis'>,
): Pick<Fix, 'isSure'> {
  const [outer] = sql.text.sql.statements.flatMap(selectsIn);
  const isOutput = outer?.columns.some(({ span: column }) => holds(column, at)) === true;
  return isOutput && !isCte(sql, analysis) ? sure : {};
}

function isCte({ text }: SqlSubject, { config }: Subject['analysis']): boolean {
  const ofStreams = config?.definitions.flatMap(({ definition }) =>
    definition.kind === 'stream' ? definition.ctes : [],
  );
  return [...(ofStreams ?? []), ...(config?.surroundings.ctes ?? [])].some(({ query }) => query === text);
}
