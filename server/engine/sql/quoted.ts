/** Reads texts in single quotes and names in double quotes. */
import { char, isPair } from './characters.ts';
import { type Token, unreadableToken } from './token.ts';

/**
 * Reads a quoted word. Two quotes inside it mean one, as in the source. The reference keeps both, so it finds no table or column
 * with such a name. If there is no closing quote, the first quote of the last pair ends the name.
 */
export function readQuotedWord(text: string, start: number): Token {
  const { end, lastPair, starred } = findClosing(text, start, char.doubleQuote);
  const closing = end < text.length && !starred ? end : lastPair;
  if (closing <= start + 1) return unreadableToken(text, start, Math.min(end + 1, text.length));
  const raw = text.slice(start + 1, closing);
  return { kind: 'quoted', text: raw.replaceAll('""', '"'), start, end: closing + 1 };
}

export function readString(text: string, start: number): Token {
  const { end, lastPair } = findClosing(text, start, char.quote);
  const closing = end < text.length ? end : lastPair;
  if (closing < 0) return unreadableToken(text, start, text.length);
  const raw = text.slice(start + 1, closing);
  return { kind: 'string', text: lastPair < 0 ? raw : raw.replaceAll("''", "'"), start, end: closing + 1 };
}

interface QuoteEnd {
  /** The position of the closing quote, or the length of the text. */
  readonly end: number;
  /** The position of the last doubled quote before the closing quote or the first star; -1 if there is none. */
  readonly lastPair: number;
  /** Whether there is a star, which no name may contain. */
  readonly starred: boolean;
}

function findClosing(text: string, start: number, mark: number): QuoteEnd {
  let lastPair = -1;
  let starred = false;
  let end = start + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === char.star && mark === char.doubleQuote) starred = true;
    else if (code === mark) {
      if (text.charCodeAt(end + 1) !== mark) break;
      if (!starred) lastPair = end;
      end++;
    }
    end++;
  }
  return { end: Math.min(end, text.length), lastPair, starred };
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\\': '\\',
};

/** Reads a text with escapes. An empty text, or one with an unknown escape, becomes `unknown`. */
export function readEscapeString(text: string, start: number): Token {
  let at = start + 2;
  let value = '';
  let known = !isPair(text, at - 1, char.quote, char.quote) || text.charCodeAt(at + 1) === char.quote;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === char.quote) {
      if (text.charCodeAt(at + 1) !== char.quote) {
        return known
          ? { kind: 'string', text: value, start, end: at + 1 }
          : unreadableToken(text, start, at + 1);
      }
      value += "'";
      at += 2;
    } else if (code === char.backslash) {
      const escaped = escapes[text.charAt(at + 1)];
      if (escaped === undefined) known = false;
      value += escaped ?? '';
      at += 2;
    } else {
      value += text.charAt(at);
      at++;
    }
  }
  return unreadableToken(text, start, text.length);
}
