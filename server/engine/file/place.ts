/** Converts a place in a plan to a place in the file. */
import type { Origin } from '../plan/expression.ts';
import { type Span, shift } from '../text/span.ts';
import type { Config } from './sync.ts';

export interface PlacedSql {
  /** The SQL as it is written at the place. */
  readonly sql: string;
  readonly span: Span;
}

export function placeInFile(config: Config, stream: string, { text, span }: Origin): PlacedSql {
  const placed = config.definitions.find(({ definition }) => definition.name === stream);
  const found = placed?.texts[text];
  if (placed === undefined || found === undefined) return { sql: '', span: { start: 0, end: 0 } };
  const ofAll = config.ctes.find(({ cte }) => cte.query === found);
  const { base } = (ofAll ?? placed).part;
  const whole = withParentheses(found.sql.text, span);
  return { sql: found.sql.text.slice(whole.start, whole.end), span: shift(found.place(whole), base) };
}

/** Extends a span to both parentheses of each pair. A filter that was merged from alternatives may begin inside a pair and end after it. */
function withParentheses(sql: string, { start, end }: Span): Span {
  const open: number[] = [];
  let [from, to] = [start, end];
  for (const { 0: token, index } of sql.matchAll(/'[^']*'|"[^"]*"|[()]/g)) {
    if (index >= to && open.every((each) => each < from)) break;
    if (token === '(') open.push(index);
    if (token !== ')') continue;
    const opened = open.pop() ?? from;
    if (opened >= from) to = Math.max(to, index + 1);
    else if (index >= from && index < to) from = opened;
  }
  return { start: from, end: to };
}
