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
  return { sql: found.sql.text.slice(span.start, span.end), span: shift(found.place(span), base) };
}
