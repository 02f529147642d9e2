/** Detects words in double quotes that were probably intended as text. */
import type { Span } from '../../text/span.ts';
import type { CompiledText } from './relations.ts';

/** Returns advice for a column in unnecessary double quotes; undefined for any other place. */
export function textMeant({ source: { sql } }: CompiledText, { start, end }: Span): string | undefined {
  const name = /^"([^"'A-Z]+)"$/.exec(sql.text.slice(start, end))?.[1];
  return name === undefined
    ? undefined
    : `Double quotes mean a column. Write text in single quotes: '${name}'.`;
}
