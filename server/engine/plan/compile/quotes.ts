/** Double quotes around a word that was probably meant as text. */
import type { Span } from '../../text/span.ts';
import type { CompiledText } from './relations.ts';

/** Advice for a column in double quotes that its name does not need; undefined for any other place. */
export function textMeant({ source: { sql } }: CompiledText, { start, end }: Span): string | undefined {
  const name = /^"([^"'A-Z]+)"$/.exec(sql.text.slice(start, end))?.[1];
  return name === undefined ? undefined : `Double quotes make it a column; a text is '${name}'.`;
}
