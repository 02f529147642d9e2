/** Expands a selection in steps: the word, its expression, the clause, the query, and then the YAML around it. */
import { append } from '../engine/ground/append.ts';
import type { Analysis } from '../engine/index.ts';
import type { SqlText } from '../engine/model/definition.ts';
import type { Expr, FromItem, Select, Statement } from '../engine/sql/ast.ts';
import { tokenize } from '../engine/sql/lexer.ts';
import { children } from '../engine/sql/walk.ts';
import { cover, type Span, shift } from '../engine/text/span.ts';
import { innerConfigAt } from './reading/inner.ts';
import { type PlacedText, sqlTextsOf } from './reading/sqlTexts.ts';
import { type TreeNode, treeOf } from './reading/tree.ts';

/** Returns the spans around the offset, from the smallest to the largest. Each span contains the previous one. */
export function selection(analysis: Analysis, offset: number): readonly Span[] {
  const isAround = ({ start, end }: Span) => start <= offset && offset <= end;
  const spans: Span[] = [];
  const collect = ({ span, value, key, inner }: TreeNode): void => {
    if (!isAround(span)) return;
    spans.push(span, value, ...(key ? [key.span] : []));
    inner.forEach(collect);
  };
  treeOf(analysis).forEach(collect);
  const placed = sqlTextsOf(analysis).find(({ span }) => isAround(span));
  if (placed) append(spans, spansIn(placed));
  const inner = innerConfigAt(analysis, offset);
  if (inner) {
    // The inner text ends after its last visible character, which is also the end of the block around it.
    const visible = inner.analysis.text.trimEnd().length;
    const grown = selection(inner.analysis, inner.offset).filter(({ end }) => end <= visible);
    append(spans, grown.map(inner.toFile));
  }
  spans.push({ start: 0, end: analysis.text.length });
  return nestSpans(spans.filter(isAround));
}

function nestSpans(spans: readonly Span[]): readonly Span[] {
  const chain: Span[] = [];
  for (const at of spans.toSorted((a, b) => a.end - a.start - (b.end - b.start))) {
    const inner = chain.at(-1);
    const isLarger = !inner || (at.start <= inner.start && inner.end <= at.end && length(at) > length(inner));
    if (isLarger && length(at) > 0) chain.push(at);
  }
  return chain;
}

function length({ start, end }: Span): number {
  return end - start;
}

function spansIn({ text, base }: PlacedText): Span[] {
  return partsOf(text).map((at) => shift(text.place(at), base));
}

function partsOf({ sql }: SqlText): Span[] {
  const spans: Span[] = tokenize(sql.text).tokens.map(({ start, end }) => ({ start, end }));
  const collect = (statement: Statement): void => {
    spans.push(statement.span);
    if (statement.kind === 'select') collectSelect(statement, spans, collect);
  };
  sql.statements.forEach(collect);
  return spans;
}

function collectSelect(select: Select, spans: Span[], collect: (statement: Statement) => void): void {
  const { columns, from, where, refused } = select;
  for (const { span } of [...columns, ...refused]) spans.push(span);
  append(spans, coverOf(columns.map(({ span }) => span)));
  append(spans, coverOf(from.map(spanOf)));
  const exprs: Expr[] = columns.map(({ expr }) => expr);
  for (const item of from) {
    spans.push(item.source.span, spanOf(item));
    if (item.source.kind === 'subquery') collect(item.source.query);
    if (item.source.kind === 'function') append(exprs, item.source.args);
    if (item.join?.on) exprs.push(item.join.on);
  }
  if (where) exprs.push(where);
  for (let expr = exprs.pop(); expr; expr = exprs.pop()) {
    spans.push(expr.span, ...(expr.outer ? [expr.outer] : []));
    if (expr.kind === 'subquery') collect(expr.query);
    append(exprs, children(expr));
  }
}

/** Returns the span of a table in FROM, including its JOIN and ON. */
function spanOf({ source, join }: FromItem): Span {
  const ends = [
    source.span,
    ...(join ? [join.span] : []),
    ...(join?.on ? [join.on.outer ?? join.on.span] : []),
  ];
  return coverOf(ends)[0] ?? source.span;
}

function coverOf([first, ...others]: readonly Span[]): Span[] {
  return first ? [others.reduce(cover, first)] : [];
}
