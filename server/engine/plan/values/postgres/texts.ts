/** Reads Postgres values that consist of other values: arrays, rows, ranges and multiranges. */

/** Thrown for a text that does not have the form of its type. */
export class UnreadableText extends Error {}

/**
 * Converts `{1,NULL,"a \"b\""}` to a JSON array. `toJson` writes an element. Bounds at the start, as in `[0:1]={7,8}`, are dropped.
 */
export function arrayToJson(text: string, delimiter: string, toJson: (element: string) => string): string {
  let json = '';
  let at = text.startsWith('[') ? text.indexOf('=') + 1 : 0;
  if (text[at] !== '{') throw new UnreadableText('is not an array');
  let depth = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '{' || character === '}') {
      json += character === '{' ? '[' : ']';
      depth += character === '{' ? 1 : -1;
      at += 1;
    } else if (character === delimiter) {
      json += ',';
      at += 1;
    } else if (character === '"') {
      const { value, end } = readQuoted(text, at);
      json += toJson(value);
      at = end;
    } else {
      const end = endOfBare(text, at, delimiter);
      const element = text.slice(at, end);
      json += element === 'NULL' ? 'null' : toJson(element);
      at = end;
    }
  }
  if (depth !== 0) throw new UnreadableText('is not an array');
  return json;
}

/** Reads `(1,"a ""b""",)`. An empty field between commas is NULL. */
export function readFields(text: string): (string | null)[] {
  if (!text.startsWith('(') || !text.endsWith(')')) throw new UnreadableText('is not a row');
  const fields: (string | null)[] = [];
  for (let at = 0; at < text.length - 1; ) {
    // The position skips the parenthesis or the comma.
    const { value, end } = readPart(text, at + 1, ',)');
    fields.push(value);
    at = end;
  }
  return fields;
}

interface RangeText {
  /** Null if the range has no lower bound. */
  readonly lower: string | null;
  readonly upper: string | null;
  readonly lowerExclusive: boolean;
  readonly upperExclusive: boolean;
}

/** Reads `[1,5)`; undefined for `empty`. */
export function readRange(text: string): RangeText | undefined {
  if (text === 'empty') return undefined;
  const lower = readPart(text, 1, ',');
  const upper = readPart(text, lower.end + 1, ')]');
  return {
    lower: lower.value,
    upper: upper.value,
    lowerExclusive: text.startsWith('('),
    upperExclusive: text.endsWith(')'),
  };
}

/** Reads the texts of the ranges in `{[1,3),[5,8)}`. */
export function readRanges(text: string): string[] {
  if (!text.startsWith('{') || !text.endsWith('}')) throw new UnreadableText('is not a list of ranges');
  const ranges: string[] = [];
  let at = 1;
  while (at < text.length - 1) {
    const lower = readPart(text, at + 1, ',');
    const { end } = readPart(text, lower.end + 1, ')]');
    ranges.push(text.slice(at, end + 1));
    at = end + 2;
  }
  return ranges;
}

interface Part<Value> {
  readonly value: Value;
  /** The position at which reading continues. */
  readonly end: number;
}

/** Reads up to a character of `stops` that is not in quotes. A value may be quoted in parts. An empty value is NULL. */
function readPart(text: string, from: number, stops: string): Part<string | null> {
  let value = '';
  let at = from;
  while (at < text.length && !stops.includes(text.charAt(at))) {
    if (text[at] === '"') {
      const quoted = readQuoted(text, at);
      value += quoted.value;
      at = quoted.end;
    } else {
      value += text[at];
      at += 1;
    }
  }
  if (at >= text.length) throw new UnreadableText('ends too early');
  return { value: at === from ? null : value, end: at };
}

/** Reads a quoted text. In it, a backslash or a second quote makes the next character ordinary. */
function readQuoted(text: string, quote: number): Part<string> {
  let value = '';
  let from = quote + 1;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character !== '"' && character !== '\\') continue;
    value += text.slice(from, at);
    if (character === '"' && text[at + 1] !== '"') return { value, end: at + 1 };
    at += 1;
    from = at;
  }
  throw new UnreadableText('has a quote without an end');
}

function endOfBare(text: string, from: number, delimiter: string): number {
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== '}') at += 1;
  return at;
}
