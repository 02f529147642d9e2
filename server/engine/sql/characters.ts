/** Classifies characters by their UTF-16 code. */

export const char = {
  tab: 9,
  newline: 10,
  carriageReturn: 13,
  space: 32,
  doubleQuote: 34,
  dollar: 36,
  quote: 39,
  star: 42,
  minus: 45,
  dot: 46,
  slash: 47,
  atSign: 64,
  backslash: 92,
} as const;

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

export function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code);
}

/** Whether a character is a non-ASCII letter. Unicode blanks, dashes and signs that look like ASCII characters do not count. */
export function isLetter(code: number): boolean {
  if (code < 0xc0) return false;
  return !(code >= 0x2000 && code <= 0x2bff) && !(code >= 0x3000 && code <= 0x3004) && code !== 0xfeff;
}

/** Whether a character is Unicode white space according to JavaScript. */
export function isWideSpace(code: number): boolean {
  if (code < 0xa0) return false;
  if (code >= 0x2000 && code <= 0x200a) return true;
  return wideSpaces.has(code);
}

const wideSpaces: ReadonlySet<number> = new Set([
  0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
]);

export function isPair(text: string, at: number, first: number, second: number): boolean {
  return text.charCodeAt(at) === first && text.charCodeAt(at + 1) === second;
}
