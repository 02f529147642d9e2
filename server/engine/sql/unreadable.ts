/** Reads characters with which no token can start, as a single token up to its probable end. */
import { char, isLetter, isWordPart } from './characters.ts';
import { type Token, unreadableToken } from './token.ts';

export function readUnreadable(text: string, start: number): Token {
  const code = text.charCodeAt(start);
  if (code === char.dollar && text.charCodeAt(start + 1) === char.dollar) {
    const end = text.indexOf('$$', start + 2);
    if (end >= 0) return { kind: 'dollar', text: text.slice(start, end + 2), start, end: end + 2 };
  }
  const closing = closingQuotes[text.charAt(start)];
  if (closing !== undefined) return unreadableToken(text, start, endOfQuoted(text, start + 1, closing));
  if (code === char.dollar || code === char.atSign)
    return unreadableToken(text, start, endOfParameter(text, start + 1));
  return unreadableToken(text, start, isLetter(code) ? endOfLetters(text, start) : start + 1);
}

/** Quotes and brackets of other languages, with their closing characters. */
const closingQuotes: Readonly<Record<string, string>> = {
  '`': '`',
  '‘': '’‘',
  '’': '’',
  '“': '”“',
  '”': '”',
  '„': '“”',
  '«': '»',
  '{': '}',
};

/** The maximum length of a name in such quotes. The limit keeps the work linear, and real names are shorter. */
const longestQuoted = 100;

/** Returns the position after the closing character, if there is one in the line. */
function endOfQuoted(text: string, from: number, closing: string): number {
  const last = Math.min(text.length, from + longestQuoted);
  for (let end = from; end < last && text.charCodeAt(end) !== char.newline; end++) {
    if (closing.includes(text.charAt(end))) return text.startsWith('}}', end) ? end + 2 : end + 1;
  }
  return from;
}

/** Returns the end of a parameter such as `@name` or `${name}`. */
function endOfParameter(text: string, from: number): number {
  return text.startsWith('{', from) ? endOfQuoted(text, from, '}') : endOfLetters(text, from);
}

function endOfLetters(text: string, from: number): number {
  let end = from;
  while (end < text.length && (isLetter(text.charCodeAt(end)) || isWordPart(text.charCodeAt(end)))) end++;
  return end;
}
