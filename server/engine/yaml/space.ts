/** Returns the end of the visible part of `text[start, end)`; never before `start`. */
export function trimEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && isSpace(text.charCodeAt(last - 1))) last--;
  return last;
}

/** Returns the position of the next visible character, or the end of the text. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Whether a character is white space in YAML: blank, tab, line feed or carriage return. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/** Returns the end of the line that contains `at`, before its line break and the blanks in front of it. */
export function lineEnd(text: string, at: number): number {
  const next = text.indexOf('\n', at);
  return trimEnd(text, at, next < 0 ? text.length : next);
}
