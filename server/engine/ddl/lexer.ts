/**
 * Splits the text of a migration into tokens, in any dialect: PostgreSQL with dollar quotes, MySQL with backticks, SQL Server with
 * brackets. It never fails, because an unknown character becomes a symbol.
 */
import type { Span } from '../text/span.ts';

export interface DdlToken extends Span {
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'symbol';
  /** Words in lower case, as databases fold them. Quoted names and strings are without their quotes. */
  readonly text: string;
}

/** The kinds of tokens in the order in which they are tried. Each match starts where the previous token ended. */
const forms: readonly (readonly [kind: DdlToken['kind'] | 'blank', form: RegExp])[] = [
  ['blank', /\s+|--[^\n]*/y],
  ['string', /(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?(?:\1|$)/y],
  ['string', /[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)/y],
  ['string', /(?:[nNbBxX]|[uU]&)?'(?:[^']|'')*(?:'|$)/y],
  ['name', /"(?:[^"]|"")*(?:"|$)/y],
  ['name', /`(?:[^`]|``)*(?:`|$)/y],
  ['name', /\[[A-Za-z_][^\]\r\n]*\]/y],
  ['word', /[\p{L}_][\p{L}\p{N}_$]*/uy],
  ['number', /\d+(?:\.\d+)?/y],
  ['symbol', /::|[\s\S]/y],
];

/** Returns the first token at or after an offset. */
export function nextDdlToken(text: string, offset: number): DdlToken | undefined {
  let at = offset;
  while (at < text.length) {
    if (text.startsWith('/*', at)) {
      at = afterComment(text, at);
      continue;
    }
    for (const [kind, form] of forms) {
      form.lastIndex = at;
      const found = form.exec(text)?.[0];
      if (!found) continue;
      const span = { start: at, end: at + found.length };
      if (kind !== 'blank') return { kind, text: contentOf(kind, found), ...span };
      at = span.end;
      break;
    }
  }
  return undefined;
}

/**
 * Returns the end of a comment. Comments nest in PostgreSQL but not in other databases. The first end counts, because otherwise the
 * rest of the file could be lost.
 */
function afterComment(text: string, start: number): number {
  const end = text.indexOf('*/', start + 2);
  return end < 0 ? text.length : end + 2;
}

function contentOf(kind: DdlToken['kind'], written: string): string {
  if (kind === 'word') return written.toLowerCase();
  if (kind !== 'name') return written;
  const inner = written.slice(1, written.length > 1 ? -1 : undefined);
  const quote = written[0] ?? '';
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote);
}
