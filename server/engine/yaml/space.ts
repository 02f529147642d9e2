/** Returns the end of the visible part of `text[start, end)`; never before `start`. */
export function trimEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && isSpace(text.charCodeAt(last - 1))) last--;
  return last;
}

/** Returns the place of the next visible character, or the end of the text. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** White space of YAML: blank, tab, line feed, carriage return. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/** The end of the line that holds `at`, without its line break and the blanks before it. */
export function lineEnd(text: string, at: number): number {
  const next = text.indexOf('\n', at);
  return trimEnd(text, at, next < 0 ? text.length : next);
}
